// A client to a scripted server with the configuration a test is about, and a clock whose time a test moves.
import type { TestContext } from 'node:test';
import { KubeClient } from '../../kube/client.ts';
import type { ClusterConfig } from '../../kube/cluster-config.ts';
import { UndiciTransport, type UndiciTransportOptions } from '../../kube/undici-transport.ts';
import { systemClock } from '../../runtime/clock.ts';
import type { ScriptedApiServer } from '../faults/scripted-api-server.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { configOf } from './rig.ts';

export function connect(
  t: TestContext,
  server: ScriptedApiServer,
  config: Partial<ClusterConfig> = {},
  options: Partial<UndiciTransportOptions> = {},
): KubeClient {
  const transport = new UndiciTransport({
    config: { ...configOf(server), ...config },
    clock: systemClock,
    userAgent: 'pacto-gate/test',
    ...options,
  });
  t.after(() => transport.close());
  return new KubeClient({ transport, clock: systemClock });
}

/** The clock timers of the machine, with a monotonic time a test moves. */
export function movableTime() {
  const fake = new FakeClock();
  return { fake, clock: { ...systemClock, monotonic: fake.monotonic, wall: fake.wall } };
}
