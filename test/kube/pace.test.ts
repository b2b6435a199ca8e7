// Who works when, and for how long, under a clock that only work moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../../kube/pace.ts';
import { FakeClock } from '../helpers/fake-clock.ts';

/** Pieces of work of a quarter of a millisecond, eight of which are a slice. */
const PIECE_MS = 0.25;

type Desk = {
  /** Does so many pieces, with breaks. */
  readonly work: (name: string, pieces: number) => Promise<void>;
  /** Works so long at its second piece, and has no more to do. */
  readonly once: (name: string, ms: number) => void;
  readonly did: string[];
};

function desk(): Desk {
  const clock = new FakeClock();
  const pace = new Pace(clock.monotonic);
  const did: string[] = [];
  const work = async (name: string, pieces: number): Promise<void> => {
    for (let piece = 0; piece < pieces; piece += 1) {
      clock.advanceSync(PIECE_MS);
      did.push(name);
      if (pace.due()) await pace.rest();
    }
  };
  const once = (name: string, ms: number): void => {
    pace.due();
    clock.advanceSync(ms);
    did.push(name);
    pace.due();
  };
  return { work, once, did };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('kube/those who rest go on in the order they came, a piece each while there are others', async () => {
  const { work, did } = desk();
  await Promise.all([work('a', 12), work('b', 12), work('c', 12)]);
  // The first has a slice to itself before anybody else has come.
  assert.match(did.join(''), /^a+(bc|bca)(bca|abc|cab)*/);
  const shared = did.slice(did.lastIndexOf('a', 8) + 1, did.indexOf('c', 12) + 1).join('');
  assert.ok(!/bb|cc/.test(shared), did.join(''));
  assert.equal(did.length, 36);
});

test('kube/one who is served early in a turn does not give those who come with data a slice more', async () => {
  const { work, did } = desk();
  await new Promise<void>((resolve) => {
    setTimeout(() => {
      // It rests once and ends soon after it is let go on, in the immediates of a turn.
      void work('a', 10).then(() => {
        setTimeout(() => {
          did.push('|');
          void work('b', 30).then(resolve);
          // In the same turn, behind the immediates that let others go on.
          queueMicrotask(() => setImmediate(() => did.push('|')));
        }, 0);
      });
    }, 0);
  });
  const [, first = ''] = did.join('').split('|');
  assert.ok(first.length <= 9, did.join(''));
});

test('kube/new ones that come with each turn and use it up do not keep those waiting who rest', async () => {
  const { work, did, once } = desk();
  const ended = new AbortController();
  void work('a', 40).then(() => {
    ended.abort();
  });
  let turns = 0;
  for (; !ended.signal.aborted && turns < 200; turns += 1) {
    once('n', 2);
    await turn();
  }
  const pieces = did.filter((name) => name === 'a').length;
  assert.ok(ended.signal.aborted, `after ${turns} turns ${pieces} of 40 pieces were done`);
});

test('kube/one whose work throws, or who does not come back after a rest, keeps nobody waiting', async () => {
  const clock = new FakeClock();
  const pace = new Pace(clock.monotonic);
  const failing = async (): Promise<void> => {
    await pace.rest();
    throw new Error('no more');
  };
  const quiet = pace.rest();
  const failed = assert.rejects(failing(), /no more/);
  let pieces = 0;
  for (; pieces < 20; pieces += 1) {
    clock.advanceSync(1);
    if (pace.due()) await pace.rest();
  }
  await Promise.all([quiet, failed]);
  assert.equal(pieces, 20);
});
