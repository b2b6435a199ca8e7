// Undeclared peers: every row of the table in the specification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ADDRESS,
  behind,
  dependency,
  ENDPOINT,
  judge,
  pacto,
  type Parts,
  peers,
  provider,
  REACHABLE,
  to,
} from './kernel-dependency-support.ts';
import { contractOf, type PassInput, service } from './support.ts';

const PEER = '10.96.0.9';
const LEDGER = [pacto('ledger', 'books')];
/** Beside the declared provider, a Service `ledger` of another Pacto. */
function withLedger(parts: Parts = {}): Parts {
  return {
    view: peers(to(10), to(10, undefined, { address: PEER })),
    more: LEDGER,
    ...parts,
    cluster: { services: [provider('pay', [ADDRESS]), provider('ledger', [PEER])], ...parts.cluster },
  };
}
const WARNING = 'Warning/DEPENDENCY_UNDECLARED 1/1';

test('evaluation/KU1 a success to the Service of another Pacto', () => {
  const { text, evidence, verdict } = judge(withLedger());
  assert.equal(text, WARNING);
  const observation = evidence.observations.at(-1);
  assert.deepEqual(observation?.subject, { kind: 'dependency', name: 'books' });
  assert.equal(observation?.provenance.collector, 'ebpf');
  assert.equal(verdict.findings?.[0]?.contractPath, 'dependencies');
});

const declaring = (...dependencies: string[]): Partial<PassInput> => ({
  contract: contractOf(`dependencies: [${dependencies.join(', ')}]`),
});
const optional = (name: string, ref: string): string => dependency(name, ref, false);

test('evaluation/KU2 a file dependency that resolves to nothing holds the warning back', () => {
  assert.equal(judge(withLedger(), declaring(dependency(), optional('db', 'file://../db'))).text, REACHABLE);
});

test('evaluation/KU3 an OCI dependency nobody carries holds it back', () => {
  assert.equal(
    judge(withLedger(), declaring(dependency(), optional('db', 'oci://r.example.com/db'))).text,
    REACHABLE,
  );
});

test('evaluation/KU4 a file dependency by the name of a contract lifts the guard', () => {
  assert.equal(
    judge(withLedger(), declaring(dependency(), optional('books', 'file://../books'))).text,
    REACHABLE,
  );
  const more = [...LEDGER, pacto('db')];
  assert.equal(
    judge(withLedger({ more }), declaring(dependency(), optional('db', 'file://../db'))).text,
    WARNING,
  );
});

test('evaluation/KU5 a declared peer', () => assert.equal(judge({ view: peers(to(10)) }).text, REACHABLE));
test('evaluation/KU6 a Service of no Pacto', () =>
  assert.equal(judge(withLedger({ more: [] })).text, REACHABLE));
test('evaluation/KU7 only failures', () => {
  assert.equal(
    judge(withLedger({ view: peers(to(10), to(undefined, 10, { address: PEER })) })).text,
    REACHABLE,
  );
});
test('evaluation/KU8 a contract without dependencies', () => {
  assert.equal(
    judge(withLedger(), { contract: contractOf('') }).text,
    'Warning/DEPENDENCY_UNDECLARED,DEPENDENCY_UNDECLARED 0/0',
  );
});
test('evaluation/KU9 its own Service', () => {
  const own = service({ spec: { clusterIPs: [PEER] } });
  const parts = withLedger({
    more: [pacto('app')],
    cluster: { services: [provider('pay', [ADDRESS]), own] },
  });
  assert.equal(judge(parts).text, REACHABLE);
});
test('evaluation/KU10 a warning and no more', () => {
  const { verdict } = judge(withLedger());
  assert.deepEqual([verdict.contractStatus, verdict.summary.warningCount], ['Warning', 1]);
  assert.deepEqual([verdict.evaluationCoverage?.evaluated, verdict.evaluationCoverage?.required], [1, 1]);
});
test('evaluation/KU11 an old success', () => {
  assert.equal(
    judge(withLedger({ view: peers(to(10), to(200, undefined, { address: PEER })) })).text,
    REACHABLE,
  );
});
test('evaluation/KU12 an address shared with a declared provider', () => {
  const slices = [behind('pay', ENDPOINT), behind('ledger', ENDPOINT)];
  const parts = withLedger({ view: peers(to(10, undefined, { address: ENDPOINT })), cluster: { slices } });
  assert.equal(
    judge({
      ...parts,
      cluster: {
        ...parts.cluster,
        services: [provider('pay', [ADDRESS]), provider('ledger', [PEER])],
        slices,
      },
    }).text,
    REACHABLE,
  );
});

test('peers of one contract name are told apart by their Services', () => {
  const parts = withLedger({
    view: peers(to(10), to(10, undefined, { address: PEER }), to(10, undefined, { address: '10.96.0.10' })),
    more: [...LEDGER, pacto('ledger2', 'books')],
    cluster: {
      services: [provider('pay', [ADDRESS]), provider('ledger', [PEER]), provider('ledger2', ['10.96.0.10'])],
    },
  });
  const subjects = judge(parts)
    .evidence.observations.slice(1)
    .map(({ subject }) => subject.name);
  assert.deepEqual(subjects, ['default/ledger', 'default/ledger2']);
});
