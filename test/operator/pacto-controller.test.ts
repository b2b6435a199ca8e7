// The controller at work: what a change brings in passes and writes, and that Pactos do not hold each other up.
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { service, slice, workload } from '../evaluation/support.ts';
import { movableTime } from '../kube/connect.ts';
import { eventually } from '../kube/rig.ts';
import type { RawObject } from './cache-rig.ts';
import { controllerRig, type ControllerRig } from './controller-rig.ts';
import { caughtUp } from './marks.ts';

const HTTP = 'interfaces: [{ name: http, type: openapi, ref: api.yaml }]\n';
const HEALTH =
  "capabilities: [{ type: health, binding: { type: http, interface: http, path: '/healthz' } }]\n";

/** A Pacto of its own Service, with an interface on the Service port `http`. */
function pacto(name: string, fragment = ''): RawObject {
  return {
    kind: 'Pacto',
    metadata: { namespace: 'default', name, generation: 1 },
    spec: {
      contractRef: {
        inline: `pactoVersion: "2.0"\nservice: { name: ${name}, version: 1.0.0 }\n${HTTP}${fragment}workload: service\n`,
      },
      target: { serviceName: name, interfaceBindings: [{ interface: 'http', servicePort: 'http' }] },
      checkIntervalSeconds: 3_600,
    },
  };
}
const runtimeOf = (name: string): readonly RawObject[] => [
  service({ name }),
  slice([true], { name: `${name}-1`, service: name }),
  workload('Deployment', { name }),
];

/** Passes and writes that `act` brings, once the cache has seen it and the controller is done. */
async function effect(
  r: ControllerRig,
  act: () => void,
): Promise<readonly [passes: string[], writes: string[]]> {
  const [passes, writes] = [r.passes().length, r.writes().length];
  act();
  await caughtUp(r);
  await r.idle();
  const ours = (list: readonly string[], from: number): string[] =>
    list.slice(from).filter((key) => !key.startsWith('marks/'));
  return [ours(r.passes(), passes), ours(r.writes(), writes)];
}

const OURS = 'default/orders';
const ready = (flag: boolean): RawObject => slice([flag], { name: 'orders-1', service: 'orders' });

test('controller/174 a change of another object is one pass, and one without effect is no write (D15)', async (t) => {
  const { fake, clock } = movableTime();
  const objects = [pacto('orders'), pacto('other'), ...runtimeOf('orders')];
  const r = await controllerRig(t, { objects, clock });
  await r.judged('orders', 'Compliant');
  await r.idle();
  const relabelled = (x: string): RawObject => service({ name: 'orders', annotations: { x } });
  const later = (act: () => void): Promise<readonly [string[], string[]]> => {
    // The times in the status move, which alone is no reason to write.
    fake.advanceSync(10_000);
    return effect(r, act);
  };
  assert.deepEqual(await later(() => r.put(relabelled('1'))), [[OURS], []]);
  assert.deepEqual(await later(() => r.put(ready(false))), [[OURS], [OURS]]);
  assert.deepEqual(await later(() => r.put(ready(true))), [[OURS], [OURS]]);
  assert.deepEqual(await later(() => r.put(service({ name: 'stranger' }))), [[], []]);
});

test('controller/174 a reading older than half the interval is renewed by the next change (D15)', async (t) => {
  const { fake, clock } = movableTime();
  const base = pacto('orders');
  const spec = { ...(base['spec'] as RawObject), checkIntervalSeconds: 60 };
  const r = await controllerRig(t, { objects: [{ ...base, spec }, ...runtimeOf('orders')], clock });
  await r.judged('orders', 'Compliant');
  await r.idle();
  fake.advanceSync(29_000);
  assert.deepEqual(await effect(r, () => r.put(service({ name: 'orders', annotations: { x: '1' } }))), [
    [OURS],
    [],
  ]);
  fake.advanceSync(1_000);
  assert.deepEqual(await effect(r, () => r.put(service({ name: 'orders', annotations: { x: '2' } }))), [
    [OURS],
    [OURS],
  ]);
});

/** A server that takes connections and never says a word, until it is told to end. */
async function silentServer(
  t: TestContext,
): Promise<{ readonly port: number; readonly open: () => number; readonly end: () => void }> {
  const sockets = new Set<Socket>();
  let isOver = false;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (isOver) socket.destroy();
    else sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = (): void => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
  t.after(() => {
    end();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, open: () => sockets.size, end };
}

test('operator/probes one hundred Pactos whose probes hang do not delay one without probes', async (t) => {
  const target = await silentServer(t);
  const slow = Array.from({ length: 100 }, (_, i) => `slow-${i}`);
  const r = await controllerRig(t, {
    objects: slow.flatMap((name) => [pacto(name, HEALTH), ...runtimeOf(name)]),
    features: { probing: true },
    // No deadline ends them: only the test does.
    probed: { host: '127.0.0.1', port: target.port, timeoutMs: 3_600_000 },
  });
  await eventually(() => target.open() === 32, 'as many hang as may be asked at once');
  r.put(...runtimeOf('quick'), {
    ...pacto('quick'),
    spec: { ...(pacto('quick')['spec'] as RawObject), target: { serviceName: 'quick' } },
  });
  await eventually(() => r.statusOf('quick')['contractStatus'] !== undefined, 'the quick one is judged');
  assert.deepEqual(r.writes(), ['default/quick']);
  assert.equal(target.open(), 32);
  target.end();
  await eventually(() => new Set(r.writes()).size === 101, 'all are judged in the end');
  assert.deepEqual(
    slow.filter((name) => r.statusOf(name)['contractStatus'] !== 'Unknown'),
    [],
  );
});

test('operator/probes what changes while a probe hangs is in the verdict, and a new spec does not wait', async (t) => {
  const target = await silentServer(t);
  const r = await controllerRig(t, {
    objects: [pacto('orders', HEALTH), ...runtimeOf('orders')],
    features: { probing: true },
    probed: { host: '127.0.0.1', port: target.port, timeoutMs: 3_600_000 },
  });
  await eventually(() => target.open() > 0, 'a probe hangs');
  r.put(service({ name: 'orders', ports: [] }));
  await caughtUp(r);
  assert.deepEqual(
    r.writes().filter((key) => key === OURS),
    [],
  );
  r.put({
    ...pacto('orders'),
    spec: { ...(pacto('orders')['spec'] as RawObject) },
    metadata: { namespace: 'default', name: 'orders', generation: 2 },
  });
  await r.judged('orders', 'Unknown');
  assert.match(JSON.stringify(r.statusOf('orders')), /EVIDENCE_INSUFFICIENT|INTERFACE/);
});
