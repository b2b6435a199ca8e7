// The cutting proxy does to connections what its steps say, neither more nor less.
import assert from 'node:assert/strict';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { FakeClock } from '../helpers/fake-clock.ts';
import { eventually } from '../kube/rig.ts';
import { CuttingProxy } from './cutting-proxy.ts';

/** One end of a connection: what has come, and how it ended. */
class End {
  readonly socket: Socket;
  text = '';
  ended: 'open' | 'closed' | 'reset' = 'open';

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      this.text += chunk;
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNRESET') this.ended = 'reset';
    });
    socket.on('close', () => {
      if (this.ended === 'open') this.ended = 'closed';
    });
  }

  say(text: string): void {
    this.socket.write(text);
  }

  async heard(text: string): Promise<void> {
    await eventually(() => this.text === text, `${text} came, not ${this.text}`);
  }

  async isReset(): Promise<void> {
    await eventually(() => this.ended === 'reset', `reset, not ${this.ended}`);
  }
}

/** A server whose ends of connections are kept in the order they were made. */
async function startEnds(t: TestContext) {
  const ends: End[] = [];
  const server = createServer((socket) => ends.push(new End(socket)));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    for (const { socket } of ends) socket.destroy();
    server.close();
  });
  return { ends, port: (server.address() as AddressInfo).port };
}

type Line = { readonly client: End; readonly server: End };

async function start(t: TestContext) {
  const { ends, port } = await startEnds(t);
  const clock = new FakeClock();
  const proxy = await CuttingProxy.start('127.0.0.1', port, clock.timers);
  const clients: End[] = [];
  t.after(async () => {
    for (const { socket } of clients) socket.destroy();
    await proxy.close();
  });
  const dial = (): End => {
    const client = new End(connect({ host: '127.0.0.1', port: proxy.port }));
    clients.push(client);
    return client;
  };
  /** A connection through the proxy to its end. */
  const line = async (at = ends): Promise<Line> => {
    const before = at.length;
    const client = dial();
    await eventually(() => at.length > before, 'it was let through');
    const server = at[before];
    assert.ok(server !== undefined);
    return { client, server };
  };
  return { clock, proxy, ends, dial, line };
}

/** Both directions work. */
async function works({ client, server }: Line): Promise<void> {
  const [toServer, toClient] = [server.text, client.text];
  client.say('ping');
  await server.heard(`${toServer}ping`);
  server.say('pong');
  await client.heard(`${toClient}pong`);
}

test('faults/proxy passes both directions on, and the end of either side to the other', async (t) => {
  const { proxy, line } = await start(t);
  const [first, second] = [await line(), await line()];
  await works(first);
  await works(second);
  assert.deepEqual([proxy.open, proxy.connections], [2, 2]);
  first.client.socket.destroy();
  second.server.socket.destroy();
  await eventually(() => first.server.ended !== 'open' && second.client.ended !== 'open', 'told');
  await eventually(() => proxy.open === 0, 'none is open');
});

test('faults/proxy cut resets all present connections and lets new ones through', async (t) => {
  const { proxy, line } = await start(t);
  const lines = [await line(), await line()];
  proxy.cut();
  for (const { client, server } of lines) {
    await client.isReset();
    await eventually(() => server.ended !== 'open', 'the server is told');
  }
  await works(await line());
});

test('faults/proxy garble puts bytes into what the client hears, and nothing is lost', async (t) => {
  const { proxy, line } = await start(t);
  const one = await line();
  await works(one);
  proxy.garble();
  await one.client.heard('ponggarbage');
  await works(one);
  assert.equal(one.server.text, 'pingping');
});

test('faults/proxy stall holds both directions back and then lets all through in order', async (t) => {
  const { clock, proxy, line } = await start(t);
  const held = await line();
  await works(held);
  proxy.stall(150);
  proxy.stall(50);
  held.client.say('a');
  held.server.say('b');
  // Made after the stall began; what goes over it shows that the held bytes had their time.
  const free = await line();
  await works(free);
  await clock.advance(149);
  await works(free);
  assert.deepEqual([held.server.text, held.client.text], ['ping', 'pong'], 'the longer of two decides');
  await clock.advance(1);
  held.client.say('c');
  held.server.say('d');
  await held.server.heard('pingac');
  await held.client.heard('pongbd');
});

test('faults/proxy stall ends without a word to a connection that was swallowed or left meanwhile', async (t) => {
  const { clock, proxy, line } = await start(t);
  const [swallowed, left] = [await line(), await line()];
  proxy.stall(20);
  left.client.socket.destroy();
  swallowed.client.say('lost');
  proxy.swallow();
  proxy.pass();
  await clock.advance(20);
  await works(await line());
  assert.equal(swallowed.server.text, '');
});

test('faults/proxy stallBusiest holds back only the connection that brought the client the most', async (t) => {
  const { clock, proxy, line } = await start(t);
  const [quiet, busy] = [await line(), await line()];
  await works(quiet);
  busy.server.say('much and more');
  await busy.client.heard('much and more');
  proxy.stallBusiest(100);
  busy.server.say('!');
  await works(quiet);
  await clock.advance(99);
  await works(quiet);
  assert.equal(busy.client.text, 'much and more');
  await clock.advance(1);
  await busy.client.heard('much and more!');
});

test('faults/proxy swallow says nothing to anybody, and what was swallowed stays dead', async (t) => {
  const { proxy, dial, ends, line } = await start(t);
  const before = await line();
  await works(before);
  proxy.swallow();
  const during = dial();
  during.say('hello');
  await eventually(() => ends.length === 2, 'it was taken, and the server called');
  proxy.pass();
  for (const end of [before.client, before.server]) end.say('lost');
  await works(await line());
  assert.deepEqual(
    [before.server.text, before.client.text, before.client.ended, before.server.ended],
    ['ping', 'pong', 'open', 'open'],
  );
  assert.deepEqual([during.text, during.ended], ['', 'open']);
  assert.ok(ends.every(({ text }) => !text.includes('hello')));
  proxy.cutSwallowed();
  await before.client.isReset();
  await during.isReset();
  await eventually(() => proxy.open === 1, 'only the live one is left');
});

test('faults/proxy refuse cuts what is there and resets what comes, until it passes', async (t) => {
  const { proxy, dial, ends, line } = await start(t);
  const { client } = await line();
  proxy.refuse();
  await client.isReset();
  await dial().isReset();
  assert.equal(ends.length, 1, 'nothing got through');
  proxy.pass();
  await works(await line());
});

test('faults/proxy lead brings new connections to another server and leaves the present ones', async (t) => {
  const { proxy, line } = await start(t);
  const first = await line();
  const other = await startEnds(t);
  proxy.lead('127.0.0.1', other.port);
  await works(await line(other.ends));
  await works(first);
});

test('faults/proxy close ends everything, stalls included', async (t) => {
  const { clock, proxy, line } = await start(t);
  const { client } = await line();
  proxy.stall(1_000);
  await proxy.close();
  await client.isReset();
  assert.equal(clock.pending, 0);
  await proxy.close();
});
