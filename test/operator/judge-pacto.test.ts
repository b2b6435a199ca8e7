// One pass over one Pacto: contract verdicts, conditions, windows and the next look, row by row of controller 11.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCondition } from '../../api/conditions.ts';
import type { PactoStatus } from '../../api/pacto.ts';
import type { JudgedPacto } from '../../operator/controllers/pacto/judge-pacto.ts';
import { CONTRACT, DEPLOYMENT, GOOD, NOW, pass, SERVICE, SPEC, slice, WINDOW_MS } from './views.ts';

const at = (seconds: number): string => `${new Date(NOW + seconds * 1000).toISOString().slice(0, 19)}Z`;
const codes = ({ status }: JudgedPacto): string[] => (status.findings ?? []).map((f) => f.code);
const condition = ({ status }: JudgedPacto, type: string): string | undefined => {
  const found = findCondition(status.conditions, type);
  return found === undefined ? undefined : `${found.status}/${found.reason}`;
};
const inline = (text: string): { spec: { contractRef: { inline: string } } } => ({
  spec: { contractRef: { inline: text } },
});

test('controller/14 the next look is after 300 s by default', async () => {
  assert.equal((await pass(GOOD)).requeueMs, 300_000);
});

test('controller/15 the interval counts, also after a FAIL', async () => {
  assert.equal((await pass(GOOD, { spec: { checkIntervalSeconds: 60 } })).requeueMs, 60_000);
  assert.equal((await pass(GOOD, { spec: { checkIntervalSeconds: 60, contractRef: {} } })).requeueMs, 60_000);
});

test('controller/22 neither oci nor inline is Invalid', async () => {
  const judged = await pass(GOOD, { spec: { contractRef: {} } });
  assert.equal(judged.status.contractStatus, 'Invalid');
  assert.equal(condition(judged, 'ContractValid'), 'False/Invalid');
  assert.deepEqual(judged.status.summary, { errorCount: 1, warningCount: 0, infoCount: 0, unknownCount: 0 });
});

test('controller/23 a valid contract without a target is Reference', async () => {
  const { target: _target, ...spec } = SPEC;
  const judged = await pass(GOOD, { spec: { ...spec, target: {} } });
  assert.equal(judged.status.contractStatus, 'Reference');
  assert.deepEqual(judged.status.summary, { errorCount: 0, warningCount: 0, infoCount: 0, unknownCount: 0 });
  assert.equal(condition(judged, 'ContractValid'), 'True/ReferenceOnly');
  assert.equal(condition(judged, 'RuntimeObserved'), undefined);
  assert.equal(judged.status.resources, undefined);
});

test('controller/24 Service and workload missing is Unknown', async () => {
  const judged = await pass({});
  assert.equal(condition(judged, 'ContractValid'), 'True/Parsed');
  assert.equal(judged.status.contractStatus, 'Unknown');
  assert.ok((judged.status.summary?.unknownCount ?? 0) > 0);
  assert.ok(codes(judged).includes('EVIDENCE_MISSING'));
});

test('controller/25 Service and Deployment in order is Compliant', async () => {
  const { status } = await pass(GOOD);
  assert.equal(status.contractStatus, 'Compliant');
  assert.equal(status.summary?.errorCount, 0);
  assert.equal(status.lastReconciledAt, at(0));
  assert.deepEqual(status.resources, {
    service: { name: 'orders', exists: true },
    workload: { name: 'orders', kind: 'Deployment', exists: true },
  });
  assert.equal(status.observedRuntime?.workloadGeneration, 4);
  assert.deepEqual(status.observedRuntime?.containerImages, ['registry.test/orders:1']);
});

test('controller/26 pactoVersion 1.0 is Invalid, with the errors listed', async () => {
  const { status } = await pass(GOOD, inline(CONTRACT.replace('2.0', '1.0')));
  assert.equal(status.contractStatus, 'Invalid');
  assert.equal(status.validation?.valid, false);
  assert.ok((status.validation?.errors?.length ?? 0) > 0);
});

test('controller/27 inline text that is no YAML is Invalid', async () => {
  const judged = await pass(GOOD, inline('a: [b'));
  assert.equal(judged.status.contractStatus, 'Invalid');
  assert.match(
    findCondition(judged.status.conditions, 'ContractValid')?.message ?? '',
    /parse inline contract/,
  );
});

test('controller/28 a workload that cannot be read is Unknown, never a violation', async () => {
  const judged = await pass({ ...GOOD, unreadable: ['Deployment'] });
  assert.equal(judged.status.contractStatus, 'Unknown');
  assert.ok(codes(judged).includes('COLLECTION_FAILED'));
  assert.equal(condition(judged, 'RuntimeObserved'), 'False/ObservationFailed');
  assert.match(findCondition(judged.status.conditions, 'RuntimeObserved')?.message ?? '', /403/);
  assert.ok(judged.failures.length > 0);
});

test('controller/29 a Service without its workload is observed', async () => {
  const judged = await pass({ services: [SERVICE], slices: [slice(true)] });
  assert.equal(condition(judged, 'RuntimeObserved'), 'True/Found');
  assert.equal(judged.status.resources?.workload?.exists, false);
  assert.equal(judged.status.observedRuntime, undefined);
});

const JOB = { ...DEPLOYMENT, kind: 'Job' as const };

test('controller/30 an explicit Job where a service is declared is a mismatch at once', async () => {
  const target = { workloadRef: { name: 'orders', kind: 'Job' as const } };
  const text = 'pactoVersion: "2.0"\nservice: { name: orders, version: 1.0.0 }\nworkload: service\n';
  const judged = await pass({ workloads: [JOB] }, { spec: { contractRef: { inline: text }, target } });
  assert.equal(judged.status.contractStatus, 'NonCompliant');
  assert.deepEqual(codes(judged), ['WORKLOAD_MISMATCH']);
  assert.ok(judged.status.findings?.every((f) => f.evidenceRefs?.length === 1));
  assert.equal(judged.status.resources?.service, undefined);
  assert.equal(judged.status.resources?.workload?.exists, true);
});

test('controller/31 the same without an explicit kind is no mismatch', async () => {
  const target = { workloadRef: { name: 'orders' } };
  const text = 'pactoVersion: "2.0"\nservice: { name: orders, version: 1.0.0 }\nworkload: job\n';
  assert.ok(
    !codes(
      await pass({ workloads: [DEPLOYMENT] }, { spec: { contractRef: { inline: text }, target } }),
    ).includes('WORKLOAD_MISMATCH'),
  );
});

test('controller/37 a target with bindings only is Reference', async () => {
  assert.equal(
    (await pass(GOOD, { spec: { target: { interfaceBindings: [{ interface: 'http', servicePort: 80 }] } } }))
      .status.contractStatus,
    'Reference',
  );
});

test('controller/40 validation errors are joined with their paths', async () => {
  const judged = await pass(
    GOOD,
    inline('pactoVersion: "2.0"\nservice: { name: orders, version: latest }\n'),
  );
  const message = findCondition(judged.status.conditions, 'ContractValid')?.message ?? '';
  assert.match(message, /^Contract validation failed: service\.version: /);
});

test('controller/41 two equal passes keep the transition time and move the observed generation', async () => {
  const first = await pass(GOOD);
  const second = await pass(GOOD, { status: first.status, now: NOW + 60_000, generation: 2 });
  const valid = findCondition(second.status.conditions, 'ContractValid');
  assert.equal(valid?.lastTransitionTime, at(0));
  assert.equal(valid?.observedGeneration, 2);
});

test('controller/42 losing the target changes the reason, not the time, and removes RuntimeObserved', async () => {
  const first = await pass(GOOD);
  const second = await pass(GOOD, { status: first.status, now: NOW + 60_000, spec: { target: {} } });
  const valid = findCondition(second.status.conditions, 'ContractValid');
  assert.deepEqual([valid?.reason, valid?.lastTransitionTime], ['ReferenceOnly', at(0)]);
  assert.equal(condition(second, 'RuntimeObserved'), undefined);
});

test('controller/43 a contract that cannot be obtained keeps what does not depend on it', async () => {
  const before: PactoStatus = {
    ...(await pass({ services: [SERVICE], slices: [] })).status,
    currentRevision: 'orders-1-0-0',
  };
  const judged = await pass(GOOD, {
    status: before,
    spec: { contractRef: { oci: 'registry.test/orders:1' } },
  });
  assert.equal(judged.status.contractStatus, 'Unknown');
  assert.equal(condition(judged, 'ContractValid'), 'Unknown/Unavailable');
  assert.equal(condition(judged, 'RuntimeObserved'), 'True/Found');
  assert.equal(judged.status.validation, undefined);
  assert.deepEqual(judged.status.observationWindows, before.observationWindows);
  assert.equal(judged.status.currentRevision, 'orders-1-0-0');
  assert.equal(judged.status.contract, undefined);
});

test('controller/44 a readiness condition goes with the readiness block', async () => {
  const stale: PactoStatus = {
    conditions: [
      {
        type: 'ReadinessSatisfied',
        status: 'True',
        reason: 'Satisfied',
        message: 'm',
        lastTransitionTime: at(-60),
      },
    ],
  };
  assert.equal(condition(await pass(GOOD, { status: stale }), 'ReadinessSatisfied'), undefined);
});

test('controller/52 an absence is Unknown first and a violation at the first pass at the end of its window', async () => {
  const absent = { ...GOOD, slices: [] };
  const first = await pass(absent);
  assert.equal(first.status.contractStatus, 'Unknown');
  assert.deepEqual(first.status.observationWindows, [
    { kind: 'interface', subject: 'http', firstObservedNegativeAt: at(0) },
  ]);
  assert.equal(first.requeueMs, WINDOW_MS);
  const early = await pass(absent, { status: first.status, now: NOW + WINDOW_MS - 1 });
  assert.equal(early.status.contractStatus, 'Unknown');
  assert.equal(early.requeueMs, 1);
  const late = await pass(absent, { status: early.status, now: NOW + WINDOW_MS });
  assert.equal(late.status.contractStatus, 'NonCompliant');
  assert.deepEqual(codes(late), ['INTERFACE_ABSENT']);
});

test('controller/53 a mismatch is NonCompliant at once, without a window', async () => {
  const text = 'pactoVersion: "2.0"\nservice: { name: orders, version: 1.0.0 }\nworkload: job\n';
  const judged = await pass(GOOD, inline(text));
  assert.equal(judged.status.contractStatus, 'NonCompliant');
  assert.equal(judged.status.observationWindows, undefined);
});

test('controller/175 the earliest open window decides the next look', async () => {
  const two = `pactoVersion: "2.0"
service: { name: orders, version: 1.0.0 }
interfaces: [{ name: a, type: grpc, ref: a.proto }, { name: b, type: grpc, ref: b.proto }]
`;
  const target = {
    serviceName: 'orders',
    interfaceBindings: [
      { interface: 'a', servicePort: 'http' },
      { interface: 'b', servicePort: 'http' },
    ],
  };
  const observationWindows = [
    { kind: 'interface' as const, subject: 'a', firstObservedNegativeAt: at(-80) },
    { kind: 'interface' as const, subject: 'b', firstObservedNegativeAt: at(-50) },
  ];
  const judged = await pass(
    { ...GOOD, slices: [] },
    { spec: { contractRef: { inline: two }, target }, status: { observationWindows } },
  );
  assert.equal(judged.requeueMs, 40_000);
});

test('controller/176 ended windows and long ones do not shorten the interval', async () => {
  const ended = [{ kind: 'interface' as const, subject: 'http', firstObservedNegativeAt: at(-600) }];
  const failedPass = await pass(
    { ...GOOD, unreadable: ['EndpointSlice'] },
    { status: { observationWindows: ended } },
  );
  assert.equal(failedPass.requeueMs, 300_000);
  const long = await pass({ ...GOOD, slices: [] }, { windowMs: 400_000 });
  assert.equal(long.requeueMs, 300_000);
});

test('controller/177 contractStatusSince moves only with the status, and the window is stated', async () => {
  const absent = { ...GOOD, slices: [] };
  const first = await pass(absent);
  const second = await pass(absent, { status: first.status, now: NOW + 60_000 });
  const third = await pass(absent, { status: second.status, now: NOW + WINDOW_MS });
  assert.deepEqual(
    [first, second, third].map((p) => p.status.contractStatusSince),
    [at(0), at(0), at(120)],
  );
  assert.deepEqual(
    [first, second, third].map((p) => p.status.stabilizationWindowSeconds),
    [120, 120, 120],
  );
  assert.equal((await pass(GOOD, { windowMs: 0 })).status.stabilizationWindowSeconds, 0);
});

test('operator/judge-pacto a dimension that cannot be observed yet is never Compliant', async () => {
  const more = `${CONTRACT}dependencies: [{ name: db, ref: "../db", required: true, compatibility: "^1.0.0" }]\n`;
  const judged = await pass(GOOD, inline(more));
  assert.equal(judged.status.contractStatus, 'Unknown');
});

test('operator/judge-pacto overrides are laid over the contract before it is validated', async () => {
  const text = `${CONTRACT}configurations: [{ name: app, required: false, schema: app.json, values: { A: x } }]\n`;
  const overrides = { configurations: [{ name: 'app', values: { A: 'y', B: 'z' } }] };
  const judged = await pass(GOOD, { spec: { contractRef: { inline: text }, overrides } });
  assert.deepEqual(judged.status.configurations?.[0]?.overriddenKeys, ['A', 'B']);
  const wrong = await pass(GOOD, {
    spec: { overrides: { configurations: [{ name: 'nope', values: { A: 'x' } }] } },
  });
  assert.equal(wrong.status.contractStatus, 'Invalid');
  assert.deepEqual(wrong.status.validation?.errors?.[0]?.path, 'spec.overrides');
  assert.match(
    wrong.status.validation?.errors?.[0]?.message ?? '',
    /^override error: configuration "nope" not found in contract/,
  );
});

test('operator/judge-pacto readiness is scored beside the verdict and never changes it', async () => {
  const claims =
    'claims: [{ id: a, type: url, status: done, evidence: x, weight: 1 }, { id: b, type: url, status: not-done, evidence: x, weight: 1 }]';
  const text = `${CONTRACT}readiness: { expires: "2027-01-01", minScore: 80, ${claims} }\n`;
  const judged = await pass(GOOD, inline(text));
  assert.equal(judged.status.contractStatus, 'Compliant');
  assert.equal(judged.status.readiness?.score, 50);
  assert.equal(condition(judged, 'ReadinessSatisfied'), 'False/BelowMinScore');
  const reference = await pass(GOOD, { spec: { contractRef: { inline: text }, target: {} } });
  assert.equal(condition(reference, 'ReadinessSatisfied'), 'False/BelowMinScore');
});
