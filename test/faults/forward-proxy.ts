// A forward proxy as companies put one in front of a cluster: HTTP CONNECT or SOCKS5, with or without a password.
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export type ForwardProxyOptions = {
  readonly kind: 'http' | 'socks5';
  /** `user:password` it insists on. Default: none. */
  readonly login?: string;
};

export type ForwardProxy = {
  readonly port: number;
  /** `host:port` of each tunnel that was opened. */
  readonly tunnels: readonly string[];
  close(): Promise<void>;
};

export async function startForwardProxy(options: ForwardProxyOptions): Promise<ForwardProxy> {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const join = (client: Socket, host: string, port: number, connected: () => void): void => {
    tunnels.push(`${host}:${port}`);
    const server = connect({ host, port }, () => {
      connected();
      client.pipe(server);
      server.pipe(client);
    });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        server.destroy();
      });
    }
  };
  const server: Server =
    options.kind === 'http'
      ? httpProxy(options.login, join)
      : createServer((client) => socksProxy(client, options.login, join));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    tunnels,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

type Join = (client: Socket, host: string, port: number, connected: () => void) => void;

function httpProxy(login: string | undefined, join: Join): Server {
  const server = createHttpServer();
  server.on('connect', (request, socket: Socket) => {
    const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
    if (wanted !== undefined && request.headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [host = '', port = ''] = (request.url ?? '').split(':');
    join(socket, host, Number(port), () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
  });
  return server;
}

function socksProxy(client: Socket, login: string | undefined, join: Join): void {
  const steps = login === undefined ? ['greet', 'connect'] : ['greet', 'login', 'connect'];
  const onData = (data: Buffer): void => {
    const step = steps.shift();
    if (step === 'greet') client.write(Buffer.from([5, login === undefined ? 0 : 2]));
    if (step === 'login') {
      const userLength = data[1] ?? 0;
      const user = data.subarray(2, 2 + userLength).toString();
      const password = data.subarray(3 + userLength).toString();
      client.write(Buffer.from([1, `${user}:${password}` === login ? 0 : 1]));
    }
    if (step === 'connect') {
      client.off('data', onData);
      const length = data[4] ?? 0;
      const host = data.subarray(5, 5 + length).toString();
      join(client, host, data.readUInt16BE(5 + length), () => {
        client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
      });
    }
  };
  client.on('error', () => undefined);
  client.on('data', onData);
}
