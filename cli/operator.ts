// `pacto-gate operator`: flags to options, then the process.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { runOperator } from '../operator/main.ts';
import { CLUSTER_FLAGS, clusterConfig } from './cluster-flags.ts';
import { defineCommand, UsageError } from './command.ts';
import { registrySettings } from './validate/registry.ts';
import { REGISTRY_FLAGS } from './validate/registry-flags.ts';
import { address, PROCESS_FLAGS, runProcess } from './process.ts';

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
          nameMatchDiscovery: flags['interface-name-match-discovery'],
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
