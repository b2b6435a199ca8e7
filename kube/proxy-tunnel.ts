// A TCP connection to the API server through a proxy: HTTP CONNECT or SOCKS5.
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Timers } from '../runtime/clock.ts';

export type TunnelOptions = {
  /** `http://`, `https://` or `socks5://`, with `user:password@` if the proxy wants them. */
  readonly proxyUrl: string;
  readonly host: string;
  readonly port: number;
  /** Longest time for all of it, in milliseconds. */
  readonly timeoutMs: number;
  readonly timers: Timers;
};

/** The proxy could not be reached or refused; the message names it without its credentials. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = 'PROXY_FAILED';
}

/** Resolves to a socket whose other end is `host:port`. */
export async function openTunnel(options: TunnelOptions): Promise<Socket> {
  const proxy = new URL(options.proxyUrl);
  const name = `${proxy.protocol}//${proxy.host}`;
  const socket = dialProxy(proxy);
  const cancelTimer = options.timers.after(options.timeoutMs, () => {
    socket.destroy(new ProxyError(`proxy ${name} did not connect within ${options.timeoutMs} ms`));
  });
  const reader = new SocketReader(socket);
  try {
    await reader.until(proxy.protocol === 'https:' ? 'secureConnect' : 'connect');
    if (proxy.protocol.startsWith('socks5')) await socks5(socket, reader, proxy, options);
    else await httpConnect(socket, reader, proxy, options);
    reader.release();
    return socket;
  } catch (cause) {
    socket.destroy();
    if (cause instanceof ProxyError) throw cause;
    throw new ProxyError(`proxy ${name} cannot be reached`, { cause });
  } finally {
    cancelTimer();
  }
}

function dialProxy(proxy: URL): Socket {
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  switch (proxy.protocol) {
    case 'http:':
      return connectPlain({ host, port: Number(proxy.port || 80) });
    case 'https:':
      return connectTls({
        host,
        port: Number(proxy.port || 443),
        ...(isIP(host) === 0 ? { servername: host } : {}),
      });
    case 'socks5:':
    case 'socks5h:':
      return connectPlain({ host, port: Number(proxy.port || 1080) });
    default:
      throw new ProxyError(`proxy scheme ${proxy.protocol} is not supported; use http, https or socks5`);
  }
}

async function httpConnect(
  socket: Socket,
  reader: SocketReader,
  proxy: URL,
  { host, port }: TunnelOptions,
): Promise<void> {
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const credentials = credentialsOf(proxy);
  const authorization =
    credentials === undefined
      ? ''
      : `Proxy-Authorization: Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}\r\n`;
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);
  const head = (await reader.through('\r\n\r\n', 16_384)).toString('latin1');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  if (status === '200') return;
  const wish = status === '407' ? '; it wants a user and a password in the proxy URL' : '';
  throw new ProxyError(
    `proxy ${proxy.protocol}//${proxy.host} answered ${status ?? 'nonsense'} to CONNECT${wish}`,
  );
}

/** RFC 1928 with the user and password method of RFC 1929. */
async function socks5(
  socket: Socket,
  reader: SocketReader,
  proxy: URL,
  { host, port }: TunnelOptions,
): Promise<void> {
  const name = `${proxy.protocol}//${proxy.host}`;
  const credentials = credentialsOf(proxy);
  const target = field(`the host name ${host}`, host);
  const login =
    credentials === undefined
      ? Buffer.alloc(0)
      : Buffer.concat([
          field('the user in the proxy URL', credentials.user),
          field('the password in the proxy URL', credentials.password),
        ]);
  socket.write(Buffer.from(credentials === undefined ? [5, 1, 0] : [5, 2, 0, 2]));
  const [version, method] = await reader.bytes(2);
  if (version !== 5 || (method !== 0 && method !== 2) || (method === 2 && credentials === undefined)) {
    throw new ProxyError(`proxy ${name} offers no way to log in that is known here`);
  }
  if (method === 2 && credentials !== undefined) {
    socket.write(Buffer.concat([Buffer.from([1]), login]));
    const [, denied] = await reader.bytes(2);
    if (denied !== 0) throw new ProxyError(`proxy ${name} refused the user or the password`);
  }
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3]), target, Buffer.from([port >> 8, port & 0xff])]));
  const [, reply, , kind] = await reader.bytes(4);
  if (reply !== 0)
    throw new ProxyError(`proxy ${name} could not connect to ${host}:${port} (SOCKS reply ${reply})`);
  const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await reader.bytes(1))[0] ?? 0);
  await reader.bytes(length + 2);
}

/** A text with its length in front, which has one byte: cut, it would name another host or user. */
function field(what: string, text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) {
    throw new ProxyError(`${what} has ${bytes.length} bytes and SOCKS5 takes at most 255; use an http proxy`);
  }
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function credentialsOf(proxy: URL): { readonly user: string; readonly password: string } | undefined {
  if (proxy.username === '') return undefined;
  return { user: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) };
}

/** Reads exactly what a handshake needs from a socket and leaves the rest in it. */
class SocketReader {
  readonly #socket: Socket;
  readonly #failed: Promise<never>;
  #fail: (error: Error) => void = () => undefined;
  #held: Buffer = Buffer.alloc(0);
  readonly #onError = (error: Error): void => this.#fail(error);
  readonly #onEnd = (): void => this.#fail(new Error('the proxy closed the connection'));

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#failed = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
    this.#failed.catch(() => undefined);
    socket.on('error', this.#onError);
    socket.on('close', this.#onEnd);
    socket.on('end', this.#onEnd);
  }

  until(event: 'connect' | 'secureConnect'): Promise<void> {
    return Promise.race([
      new Promise<void>((resolve) => {
        this.#socket.once(event, () => resolve());
      }),
      this.#failed,
    ]);
  }

  async bytes(count: number): Promise<Buffer> {
    while (this.#held.length < count) await this.#more();
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  async through(end: string, limit: number): Promise<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(end);
      if (at !== -1) return this.bytes(at + end.length);
      if (this.#held.length > limit) throw new Error('the proxy says too much');
      await this.#more();
    }
  }

  /** Gives the socket back, with what was read beyond the handshake in front. */
  release(): void {
    this.#socket.off('error', this.#onError);
    this.#socket.off('close', this.#onEnd);
    this.#socket.off('end', this.#onEnd);
    if (this.#held.length > 0) this.#socket.unshift(this.#held);
  }

  async #more(): Promise<void> {
    const chunk: unknown = this.#socket.read();
    if (chunk instanceof Buffer) {
      this.#held = Buffer.concat([this.#held, chunk]);
      return;
    }
    await Promise.race([
      new Promise<void>((resolve) => {
        this.#socket.once('readable', () => resolve());
      }),
      this.#failed,
    ]);
  }
}
