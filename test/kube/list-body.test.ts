// Lists that are read item by item: the same as read at once, whatever the chunks, and never a part taken for the whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readList } from '../../kube/list-body.ts';
import { Pace } from '../../kube/pace.ts';
import { KubeConnectionError } from '../../kube/transport.ts';
import { FakeClock } from '../helpers/fake-clock.ts';

async function read(text: string | Uint8Array, cuts: readonly number[] = []) {
  const bytes = Buffer.from(text);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  async function* body(): AsyncGenerator<Uint8Array> {
    let start = 0;
    for (const end of [...ends, bytes.length]) {
      yield bytes.subarray(start, end);
      start = end;
    }
  }
  const items: unknown[] = [];
  const page = await readList('GET /x', body(), new Pace(new FakeClock().monotonic), (item) => {
    items.push(item);
  });
  return { ...page, items };
}

/** Texts that look like structure, and keys that look like the list's own. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('items', '"items":[', '\\', '\\"', '}', ']', '{"items":[{', 'ü€😀', ''),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, text, fc.integer(), fc.boolean(), fc.constant(null), tie('object')),
  object: fc.dictionary(fc.oneof(text, fc.constantFrom('items', 'metadata')), tie('value'), { maxKeys: 4 }),
}));
const list = fc.record({
  kind: text,
  metadata: fc.record({ resourceVersion: text, continue: text, note: json.value }),
  items: fc.array(json.object, { maxLength: 8 }),
  more: json.value,
});

test('client/a list read item by item is the list, whatever the order of its keys, its spaces and its chunks', async () => {
  const cuts = fc.array(fc.nat(), { maxLength: 12 });
  const order = fc.shuffledSubarray(['kind', 'metadata', 'items', 'more'], { minLength: 4 });
  await fc.assert(
    fc.asyncProperty(list, order, cuts, fc.constantFrom(0, 1), async (value, keys, at, spaces) => {
      const record: Record<string, unknown> = { ...value };
      const ordered = Object.fromEntries(keys.map((key) => [key, record[key]]));
      const { metadata, items } = JSON.parse(JSON.stringify(value)) as typeof value;
      const token = metadata.continue === '' ? {} : { continue: metadata.continue };
      assert.deepEqual(await read(JSON.stringify(ordered, null, spaces), at), {
        items,
        resourceVersion: metadata.resourceVersion,
        ...token,
      });
    }),
    { numRuns: 500 },
  );
});

test('client/a list that is cut anywhere is not taken for a shorter one', async () => {
  const whole = JSON.stringify({ metadata: { resourceVersion: '1' }, items: [{ a: ['}'] }, { b: '\\"' }] });
  assert.equal((await read(whole)).items.length, 2);
  for (let end = 0; end < whole.length; end += 1) {
    await assert.rejects(read(whole.slice(0, end)), (error: unknown) => {
      assert.ok(error instanceof KubeConnectionError);
      assert.equal(error.message, 'GET /x: the answer is not JSON or was cut off');
      return true;
    });
  }
});

const META = '"metadata":{"resourceVersion":"1"}';

for (const [what, body, flaw] of [
  ['without items', `{${META}}`, 'is not a list'],
  ['whose items are no array', `{${META},"items":{}}`, 'is not a list'],
  ['with an item that is no object', `{${META},"items":[{},5]}`, 'is not a list'],
  ['with zeros for items', `{${META},"items":[0,0]}`, 'is not a list'],
  ['with an array for an item', `{${META},"items":[[{}]]}`, 'is not a list'],
  ['that says items twice', `{${META},"items":[{}],"items":[{}]}`, 'is not a list'],
  ['without a version', '{"metadata":{},"items":[]}', 'is not a list'],
  ['without a comma between items', `{${META},"items":[{}{}]}`, 'is not JSON or was cut off'],
  ['with brackets that do not match', `{${META},"items":[{"a":[}]]}`, 'is not JSON or was cut off'],
  ['with more after its end', `{${META},"items":[]}}`, 'is not JSON or was cut off'],
  [
    'with bytes that are not UTF-8',
    Buffer.from([...Buffer.from(`{${META},"items":[{"a":"`), 0xff, ...Buffer.from('"}]}')]),
    'is not valid UTF-8',
  ],
] as const) {
  test(`client/a list ${what} is refused`, async () => {
    await assert.rejects(read(body), { message: `GET /x: the answer ${flaw}` });
  });
}

test('client/an empty list may have null for its items', async () => {
  assert.deepEqual(await read(`{${META},"items":null}`), { resourceVersion: '1', items: [] });
});

test('client/a list leaves managedFields out only when it is told to', async () => {
  const bare = { metadata: { name: 'a' }, spec: {} };
  const object = { metadata: { name: 'a', managedFields: [{ manager: 'm' }] }, spec: {} };
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`{${META},"items":[${JSON.stringify(object)},${JSON.stringify(object)}]}`);
  }
  for (const [how, expected] of [
    ['keep', object],
    ['drop', bare],
  ] as const) {
    const items: unknown[] = [];
    await readList('GET /x', body(), new Pace(new FakeClock().monotonic), (item) => items.push(item), how);
    assert.deepEqual(items, [expected, expected]);
  }
});

/** Reads two lists of 40 at once, each item of which takes a millisecond. Resolves to how many were read in each turn of the event loop. */
async function itemsPerTurn(start: (work: () => void) => void): Promise<readonly number[]> {
  const clock = new FakeClock();
  const pace = new Pace(clock.monotonic);
  const text = Buffer.from(`{${META},"items":[${Array.from({ length: 40 }, () => '{}').join(',')}]}`);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield text;
  }
  let [turn, done] = [0, 0];
  const count = (): void => {
    turn += 1;
    if (done < 2) setImmediate(count);
  };
  const perTurn = new Map<number, number>();
  const read = (): Promise<unknown> =>
    readList('GET /x', body(), pace, () => {
      clock.advanceSync(1);
      // Behind the immediate that ends breaks, which the first item asks for: what both do in one turn counts for the same.
      if (perTurn.size === 0) queueMicrotask(() => setImmediate(count));
      perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
    });
  await new Promise<void>((resolve, reject) => {
    start(() => {
      for (const one of [read(), read()]) {
        one.then(() => {
          done += 1;
          if (done === 2) resolve();
        }, reject);
      }
    });
  });
  const counts = [...perTurn.values()];
  assert.equal(
    counts.reduce((sum, n) => sum + n, 0),
    80,
  );
  return counts;
}

test('client/reading takes breaks: others get a turn of the event loop after two milliseconds of work', async () => {
  // Both together, not each: they share the turn, of which the second finds out after its first piece.
  const counts = await itemsPerTurn((work) => work());
  assert.ok(Math.max(...counts) <= 4, JSON.stringify(counts));
});

test('client/what begins to work as data comes has its time in that turn, and not again when breaks end in it', async () => {
  // A timer comes before the immediates of its turn, as data does.
  const counts = await itemsPerTurn((work) => setTimeout(work, 0));
  assert.ok(Math.max(...counts) <= 4, JSON.stringify(counts));
});

test('client/a break is due after many bytes, too, whether or not an item was among them', async () => {
  const clock = new FakeClock();
  let asked = 0;
  const pace = new Pace({
    now: () => {
      asked += 1;
      return clock.monotonic.now();
    },
  });
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`{${META},"items":[{"text":"${'x'.repeat(1_000_000)}"}]}`);
  }
  await readList('GET /x', body(), pace, () => undefined);
  assert.ok(asked > 100, `asked for the time ${asked} times`);
});
