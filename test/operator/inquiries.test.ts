// Questions beyond the cache: what is read, how often, and what becomes of answers that are none.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Lookup } from '../../api/lookup.ts';
import { ContractChecker } from '../../contract/check/contract-checker.ts';
import type { DocumentInquiry } from '../../evaluation/observe/inquiry.ts';
import { decodeStatus } from '../../kube/api-error.ts';
import { Inquiries } from '../../operator/probes/inquiries.ts';
import { systemClock } from '../../runtime/clock.ts';
import { FakeClock } from '../helpers/fake-clock.ts';

const { timers } = systemClock;
const DOCUMENT: DocumentInquiry = {
  kind: 'document',
  namespace: 'default',
  name: 'settings',
  key: 'app',
  format: 'yaml',
  schema: '{"required":["port"]}',
};
const SECRET = { kind: 'secret', namespace: 'default', name: 'keys' } as const;

type Rig = {
  readonly inquiries: Inquiries;
  readonly time: FakeClock;
  readonly reads: readonly string[];
  version: Lookup<string>;
  /** What the API server answers; throws what it refuses. */
  answer: () => unknown;
};

function rig(t: TestContext, timeoutMs = 10_000): Rig {
  const reads: string[] = [];
  const checker = new ContractChecker({ timers, timeoutMs });
  t.after(() => checker.close());
  const time = new FakeClock();
  const made: Rig = {
    time,
    inquiries: new Inquiries({
      timers,
      monotonic: time.monotonic,
      checker,
      cache: { configMapVersion: () => made.version },
      client: {
        get: (type, { name }, options) => {
          reads.push(`${type.kind} ${name} ${options?.representation ?? 'full'}`);
          return Promise.resolve().then(() => made.answer());
        },
      },
    }),
    reads,
    version: { kind: 'found', value: '1' },
    answer: () => ({ metadata: { resourceVersion: '1' }, data: { app: 'port: 1' } }),
  };
  return made;
}

const NOT_FOUND = { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404, message: 'gone' };
const refuse = (status: number, body: unknown) => (): never => {
  throw decodeStatus('GET x', status, body, undefined);
};

test('a document is read when its version is new, and never kept', async (t) => {
  const r = rig(t);
  assert.deepEqual(await r.inquiries.ask(DOCUMENT, t.signal), { kind: 'found', value: 'conforms' });
  assert.deepEqual(await r.inquiries.ask(DOCUMENT, t.signal), { kind: 'found', value: 'conforms' });
  assert.deepEqual(r.reads, ['ConfigMap settings full']);
  r.version = { kind: 'found', value: '2' };
  r.answer = () => ({ metadata: { resourceVersion: '2' }, data: { app: 'host: x' } });
  assert.deepEqual(await r.inquiries.ask(DOCUMENT, t.signal), { kind: 'found', value: 'violates' });
  assert.equal(r.reads.length, 2);
});

test('an absence or an unreadable kind is known without asking', async (t) => {
  const r = rig(t);
  for (const version of [{ kind: 'absent' }, { kind: 'unreadable', reason: 'stale' }] as const) {
    r.version = version;
    assert.deepEqual(await r.inquiries.ask(DOCUMENT, t.signal), version);
  }
  assert.deepEqual(r.reads, []);
});

test('of a Secret the metadata alone is read', async (t) => {
  const r = rig(t);
  assert.deepEqual(await r.inquiries.ask(SECRET, t.signal), { kind: 'found', value: true });
  assert.deepEqual(r.reads, ['Secret keys metadata']);
});

test('only the API server can say that there is none', async (t) => {
  const r = rig(t);
  r.answer = refuse(404, NOT_FOUND);
  assert.deepEqual(await r.inquiries.ask(SECRET, t.signal), { kind: 'absent' });
  const others = [
    refuse(404, '<html>no such page</html>'),
    refuse(403, { kind: 'Status', reason: 'Forbidden' }),
  ];
  for (const answer of others) {
    r.answer = answer;
    const answered = await r.inquiries.ask(SECRET, t.signal);
    assert.equal(answered.kind, 'unreadable');
  }
});

test('a schema made to run for ever is undecided, and the next question is answered', async (t) => {
  // The thread ends with the hostile one, and the next has the same time for a new one to start.
  const r = rig(t, 8_000);
  const links = Array.from({ length: 40 }, (_, i) => [
    `a${i}`,
    { allOf: [{ $ref: `#/$defs/a${i + 1}` }, { $ref: `#/$defs/a${i + 1}` }] },
  ]);
  const $defs = { ...Object.fromEntries(links), a40: { type: 'object' } };
  const schema = JSON.stringify({ $defs, $ref: '#/$defs/a0' });
  assert.deepEqual(await r.inquiries.ask({ ...DOCUMENT, schema }, t.signal), {
    kind: 'found',
    value: 'undecided',
  });
  assert.deepEqual(await r.inquiries.ask(DOCUMENT, t.signal), { kind: 'found', value: 'conforms' });
});

test('a document that could not be decided is asked about again, though not at once', async (t) => {
  const r = rig(t);
  const undecidable = { ...DOCUMENT, schema: '{"type":7}' };
  assert.deepEqual(await r.inquiries.ask(undecidable, t.signal), { kind: 'found', value: 'undecided' });
  assert.deepEqual(await r.inquiries.ask(undecidable, t.signal), { kind: 'found', value: 'undecided' });
  assert.equal(r.reads.length, 1);
  r.time.advanceSync(60_000);
  await r.inquiries.ask(undecidable, t.signal);
  assert.equal(r.reads.length, 2);
  // What was decided holds as long as the version.
  await r.inquiries.ask(DOCUMENT, t.signal);
  r.time.advanceSync(3_600_000);
  await r.inquiries.ask(DOCUMENT, t.signal);
  assert.equal(r.reads.length, 3);
});

test('what an abort cuts short is no answer', async (t) => {
  const r = rig(t);
  const stop = new AbortController();
  r.answer = () => {
    stop.abort();
    throw new Error('called off');
  };
  await assert.rejects(r.inquiries.ask(SECRET, stop.signal));
  await assert.rejects(r.inquiries.ask(SECRET, stop.signal));
  assert.equal(r.reads.length, 1);
});

test('a probe that cannot even begin is unanswered', async (t) => {
  const r = rig(t);
  const http = { kind: 'http', host: '127.0.0.1', port: 70_000, path: '/' } as const;
  assert.deepEqual(await r.inquiries.ask(http, t.signal), { kind: 'unanswered' });
  const protocol = { kind: 'protocol', host: '127.0.0.1', port: 70_000 } as const;
  assert.equal(await r.inquiries.ask(protocol, t.signal), undefined);
});
