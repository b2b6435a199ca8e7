// The controller of Pactos at work over a scripted API server: passes and writes as in the process, counted by the test.
import type { TestContext } from 'node:test';
import * as read from '../../api/read.ts';
import { ContractChecker } from '../../contract/check/contract-checker.ts';
import { DEFAULT_FEATURES, type ObservationFeatures } from '../../evaluation/observe/observe-input.ts';
import type { Inquirer } from '../../evaluation/observe/inquiry.ts';
import { EventRecorder } from '../../kube/event-recorder.ts';
import { PactoController } from '../../operator/controllers/pacto/pacto-controller.ts';
import { OperatorMetrics } from '../../operator/operator-metrics.ts';
import { PactoContracts } from '../../operator/pacto-contracts.ts';
import { PactoInquiries } from '../../operator/pacto-inquiries.ts';
import { Inquiries } from '../../operator/probes/inquiries.ts';
import { pullSecretReader } from '../../operator/pull-secret-reader.ts';
import { systemClock } from '../../runtime/clock.ts';
import { eventually } from '../kube/rig.ts';
import { cacheRig, type CacheRig, type CacheRigOptions, type RawObject } from './cache-rig.ts';
import { loader, WINDOW_MS } from './views.ts';

export type ControllerRigOptions = CacheRigOptions & {
  readonly features?: Partial<ObservationFeatures>;
  /** Where probes really go, whatever name they are meant for. Default: where they are meant to. */
  readonly probed?: { readonly host: string; readonly port: number; readonly timeoutMs: number };
};

export type ControllerRig = CacheRig & {
  /** Keys of the Pactos whose passes ended, in order. */
  readonly passes: () => readonly string[];
  /** Keys of the Pactos whose status was written, in order. */
  readonly writes: () => readonly string[];
  /** Waits until no pass runs, waits in line, or waits for its contract; those that wait for a time do not count. */
  readonly idle: () => Promise<void>;
  readonly statusOf: (name: string, namespace?: string) => RawObject;
  /** Waits until the stored status of a Pacto is this. */
  readonly judged: (name: string, status: string) => Promise<void>;
};

const { timers, monotonic } = systemClock;
/** Series that are not zero while there is work. */
const BUSY = [/^workqueue_depth\{.*\} [1-9]/m, /^controller_runtime_active_workers\{.*\} [1-9]/m];

/** Four workers, as by default. Stops with the test. */
export async function controllerRig(
  t: TestContext,
  options: ControllerRigOptions = {},
): Promise<ControllerRig> {
  const r = await cacheRig(t, options);
  const { cache, server } = r;
  const { client, log, metrics } = r.rig;
  const checker = new ContractChecker({ timers });
  const { probed } = options;
  const { ask } = new Inquiries({
    client,
    cache,
    checker,
    timers,
    monotonic,
    ...read.defined({ timeoutMs: probed?.timeoutMs }),
  });
  const inquire: Inquirer = (inquiry, signal) =>
    ask(
      probed !== undefined && 'port' in inquiry
        ? { ...inquiry, host: probed.host, port: probed.port }
        : inquiry,
      signal,
    );
  const clock = options.clock ?? systemClock;
  const contracts = new PactoContracts({ loader: loader(), pullSecrets: pullSecretReader(client), timers });
  const controller = new PactoController({
    client,
    cache,
    contracts,
    events: new EventRecorder({
      client,
      source: { component: 'test', instance: 'test' },
      clock,
      log,
      metrics,
    }),
    operatorMetrics: new OperatorMetrics(metrics),
    settings: { windowMs: WINDOW_MS, features: { ...DEFAULT_FEATURES, ...options.features } },
    inquiries: new PactoInquiries({ inquire, timers }),
    workers: 4,
    clock,
    log,
    metrics,
  });
  const ended = new AbortController();
  const running = controller.run(ended.signal);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopping ??= (async () => {
      ended.abort();
      await running;
      await checker.close();
      await r.stop();
    })());
  t.after(stop);
  const statusOf: ControllerRig['statusOf'] = (name, namespace = 'default') =>
    read.object(server.store.get({ resource: 'pactos.pacto.trianalab.io', namespace }, name), 'status') ?? {};
  return {
    ...r,
    stop,
    passes: () => log.named('pass ended').map(({ fields }) => `${fields.namespace}/${fields.name}`),
    writes: () =>
      server.seen
        .filter(({ method, path }) => method === 'PATCH' && path.endsWith('/status'))
        .map(({ path }) => {
          const [, , , , , namespace, , name] = path.split('/');
          return `${namespace}/${name}`;
        }),
    idle: () =>
      eventually(async () => {
        const text = await metrics.render();
        return contracts.pending === 0 && BUSY.every((busy) => !busy.test(text));
      }, 'the controller is idle'),
    statusOf,
    judged: (name, status) =>
      eventually(
        () => read.string(statusOf(name), 'contractStatus') === status,
        `${name} is judged ${status}`,
      ),
  };
}
