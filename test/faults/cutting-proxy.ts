// A TCP proxy that breaks connections as networks do: cut, refuse, or swallow bytes without a word.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { systemClock, type Timers } from '../../runtime/clock.ts';

// After damaged TLS streams Node.js has been seen to spin for ever while it tears a process down. A test process that
// damages some leaves without that, and before Node.js would have said what ended it.
process.once('exit', () => process.exit());
process.on('uncaughtExceptionMonitor', (error) => process.stderr.write(`${inspect(error)}\n`));

type Pair = { readonly client: Socket; readonly server: Socket; state: 'live' | 'swallowed'; holds: number };

export class CuttingProxy {
  #target: { readonly host: string; readonly port: number };
  readonly #pairs = new Set<Pair>();
  readonly #timers: Timers;
  readonly #cancels = new Set<() => void>();
  #server: Server | undefined;
  #port = 0;
  #mode: 'pass' | 'swallow' | 'refuse' = 'pass';
  /** Connections ever accepted. */
  connections = 0;

  private constructor(host: string, port: number, timers: Timers) {
    this.#target = { host, port };
    this.#timers = timers;
  }

  /** Listens on a free loopback port in front of `host:port`. Stalls end by `timers`, by default the machine's. */
  static async start(host: string, port: number, timers = systemClock.timers): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(host, port, timers);
    // It must not gather what is written in pieces: the delay would be its own.
    const server = createServer({ noDelay: true }, (client) => proxy.#accept(client));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    proxy.#server = server;
    proxy.#port = (server.address() as AddressInfo).port;
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** Connections that are open. */
  get open(): number {
    return this.#pairs.size;
  }

  /** Puts bytes into the stream to the client that do not belong there, as a broken middlebox does. */
  garble(): void {
    for (const { client } of this.#pairs) client.write('garbage');
  }

  /** Ends all connections at once, as a reset does. */
  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  }

  /** From now on nothing gets through in either direction and nobody is told: a half-open connection. */
  swallow(): void {
    this.#mode = 'swallow';
    for (const pair of this.#pairs) {
      pair.state = 'swallowed';
      for (const socket of [pair.client, pair.server]) {
        socket.unpipe();
        socket.pause();
      }
    }
  }

  /** Holds back everything on the present connections for `ms` milliseconds, then lets it through in order. */
  stall(ms: number): void {
    this.#hold([...this.#pairs], ms);
  }

  /** As {@link stall}, for the one connection that has brought the client the most. */
  stallBusiest(ms: number): void {
    const [busiest] = [...this.#pairs].sort((a, b) => b.server.bytesRead - a.server.bytesRead);
    if (busiest !== undefined) this.#hold([busiest], ms);
  }

  #hold(pairs: readonly Pair[], ms: number): void {
    const held = pairs.filter(({ state }) => state === 'live');
    for (const pair of held) {
      pair.holds += 1;
      pair.client.unpipe();
      pair.server.unpipe();
    }
    const cancel = this.#timers.after(ms, () => {
      this.#cancels.delete(cancel);
      for (const pair of held) {
        if (!this.#pairs.has(pair) || pair.state !== 'live') continue;
        pair.holds -= 1;
        if (pair.holds > 0) continue;
        pair.client.pipe(pair.server);
        pair.server.pipe(pair.client);
      }
    });
    this.#cancels.add(cancel);
  }

  /** Ends the connections that were swallowed, as a peer does that has given up on them. */
  cutSwallowed(): void {
    for (const { client, server, state } of this.#pairs) {
      if (state !== 'swallowed') continue;
      client.resetAndDestroy();
      server.destroy();
    }
  }

  /** New connections are reset as soon as they are made; the present ones are cut. */
  refuse(): void {
    this.#mode = 'refuse';
    this.cut();
  }

  /** Leads new connections to another server, as a load balancer does. */
  lead(host: string, port: number): void {
    this.#target = { host, port };
  }

  /** Lets new connections through again. Those that were swallowed stay dead, as their packets are lost. */
  pass(): void {
    this.#mode = 'pass';
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    for (const cancel of this.#cancels) cancel();
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    this.cut();
    await closed;
  }

  #accept(client: Socket): void {
    this.connections += 1;
    client.on('error', () => undefined);
    if (this.#mode === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ ...this.#target, noDelay: true });
    const pair: Pair = { client, server, state: 'live', holds: 0 };
    this.#pairs.add(pair);
    const end = (): void => {
      this.#pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    server.on('error', () => undefined);
    for (const socket of [client, server]) socket.on('close', end);
    if (this.#mode === 'swallow') {
      pair.state = 'swallowed';
      client.pause();
      return;
    }
    client.pipe(server);
    server.pipe(client);
  }
}
