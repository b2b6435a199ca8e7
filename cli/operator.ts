// `pacto-gate operator`: flags to options, then the process.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { AGENT_NAMESPACE } from '../api/names.ts';
import type { KernelSettings } from '../evaluation/observe/kernel/settings.ts';
import { runOperator } from '../operator/main.ts';
import { CLUSTER_FLAGS, clusterConfig } from './cluster-flags.ts';
import { defineCommand, UsageError } from './command.ts';
import { registrySettings } from './validate/registry.ts';
import { REGISTRY_FLAGS } from './validate/registry-flags.ts';
import { address, PROCESS_FLAGS, runProcess } from './process.ts';

/** What the managed agent publishes at, unless told otherwise. */
const PUBLISH_INTERVAL_MS = 30_000;

/** The agent is not managed by this operator yet: its Lease tells how often it publishes. */
function kernelSettings(flags: { readonly 'kernel-evidence-staleness': number }): KernelSettings {
  const stalenessMs = flags['kernel-evidence-staleness'];
  return {
    publishIntervalMs: PUBLISH_INTERVAL_MS,
    managed: false,
    ...(stalenessMs > 0 && { stalenessMs }),
  };
}

export const operator = defineCommand({
  name: 'operator',
  description: `Runs the operator. It compares every Pacto's contract with what the cluster shows and writes the verdict into
its status. Of several replicas one leads (--leader-elect).

The environment must name the operator's own namespace in POD_NAMESPACE. Registries are reached with the pull secret a Pacto
names; without one with PACTO_REGISTRY_TOKEN, or PACTO_REGISTRY_USERNAME and PACTO_REGISTRY_PASSWORD, then with the Docker
configuration, then anonymously.`,
  refusalCode: 1,
  flags: {
    'watch-namespace': {
      kind: 'string',
      default: '',
      help: 'The one namespace to look at; empty for all',
      placeholder: 'NAME',
    },
    'stabilization-window': {
      kind: 'duration',
      default: '2m0s',
      help: 'Time an absence must last before it is a violation',
    },
    'interface-name-match-discovery': {
      kind: 'boolean',
      default: false,
      help: 'Take a Service port named like an unbound interface as its port, where that proves availability',
    },
    'enable-probing': {
      kind: 'boolean',
      default: false,
      help: 'Ask declared health endpoints, and greet interfaces to learn which protocol they speak',
    },
    'enable-metrics-observation': {
      kind: 'boolean',
      default: false,
      help: 'Look for declared metrics and ask for them; monitors count where the operator may list them',
    },
    'enable-kernel-evidence': {
      kind: 'boolean',
      default: false,
      help: 'Merge what node agents saw of sockets and connections',
    },
    'kernel-evidence-namespace': {
      kind: 'string',
      default: AGENT_NAMESPACE,
      help: 'Namespace of the node agents',
      placeholder: 'NAME',
    },
    'kernel-evidence-staleness': {
      kind: 'duration',
      default: '0s',
      help: 'Age at which a node agent no longer counts; 0 means three of its publish intervals',
    },
    'leader-elect': { kind: 'boolean', default: false, help: 'Let one of several replicas lead' },
    workers: { kind: 'integer', default: 4, min: 1, max: 100, help: 'Pactos judged at once' },
    'health-probe-bind-address': {
      kind: 'string',
      default: ':8081',
      help: 'Address of /healthz and /readyz',
      placeholder: 'HOST:PORT',
    },
    'metrics-bind-address': {
      kind: 'string',
      default: ':8080',
      help: 'Address of /metrics; 0 disables it',
      placeholder: 'HOST:PORT',
    },
    ...REGISTRY_FLAGS,
    ...CLUSTER_FLAGS,
    ...PROCESS_FLAGS,
  },
  async run(flags, operands, context) {
    if (operands.length > 0)
      throw new UsageError(`operator takes no operands and got ${JSON.stringify(operands[0])}`);
    const namespace = context.env['POD_NAMESPACE'] ?? '';
    if (namespace === '') {
      throw new UsageError(
        "POD_NAMESPACE is not set; set it to the operator's own namespace (in a pod: fieldRef metadata.namespace)",
      );
    }
    const watchNamespace = flags['watch-namespace'];
    const health = address('health-probe-bind-address', flags['health-probe-bind-address']);
    const metricsText = flags['metrics-bind-address'];
    const metricsAddress = metricsText === '0' ? undefined : address('metrics-bind-address', metricsText);
    const cluster = await clusterConfig(flags, context);
    return runProcess('operator', flags, context, (runtime, signal) =>
      runOperator(
        {
          cluster,
          namespace,
          identity: `${context.env['POD_NAME'] ?? hostname()}_${randomBytes(8).toString('hex')}`,
          ...(watchNamespace === '' ? {} : { watchNamespace }),
          windowMs: flags['stabilization-window'],
          features: {
            interfaceNameMatchDiscovery: flags['interface-name-match-discovery'],
            probing: flags['enable-probing'],
            metricsObservation: flags['enable-metrics-observation'],
            ...(flags['enable-kernel-evidence'] && { kernelEvidence: kernelSettings(flags) }),
          },
          agentNamespace: flags['kernel-evidence-namespace'],
          leaderElection: flags['leader-elect'] ? 'lease' : 'none',
          workers: flags.workers,
          registries: registrySettings(flags, context),
          health,
          ...(metricsAddress === undefined ? {} : { metricsAddress }),
          version: context.version,
        },
        runtime,
        signal,
      ),
    );
  },
});
