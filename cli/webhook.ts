// `pacto-gate webhook`: flags to options, then the process.
import { runWebhook } from '../webhook/main.ts';
import { CLUSTER_FLAGS, clusterConfig } from './cluster-flags.ts';
import { defineCommand, UsageError } from './command.ts';
import { address, PROCESS_FLAGS, runProcess } from './process.ts';

const CACHE_STALE = { hold: 'Hold', deny: 'Deny', allow: 'Allow' } as const;

export const webhook = defineCommand({
  name: 'webhook',
  description: `Runs the admission webhook. It answers AdmissionReviews at /admit/promotion from memory: whether a
promotion may go on, has to wait (with the seconds), or is refused, and what would unblock it.`,
  refusalCode: 1,
  flags: {
    'bind-address': {
      kind: 'string',
      default: ':9443',
      help: 'Address of the admission server',
      placeholder: 'HOST:PORT',
    },
    'tls-cert-file': {
      kind: 'string',
      help: 'PEM serving certificate; read again when it changes',
      placeholder: 'FILE',
    },
    'tls-private-key-file': {
      kind: 'string',
      help: 'PEM key of the serving certificate',
      placeholder: 'FILE',
    },
    'health-probe-bind-address': {
      kind: 'string',
      default: ':8081',
      help: 'Address of /healthz, /readyz and /metrics',
      placeholder: 'HOST:PORT',
    },
    'on-cache-stale': {
      kind: 'choice',
      choices: ['hold', 'deny', 'allow'],
      default: 'hold',
      help: 'Answer to promotions while the API server has not been heard from for 90 s',
    },
    'stabilization-window': {
      kind: 'duration',
      default: '2m',
      help: "The operator's window, where a verdict does not state it",
    },
    'drain-delay': { kind: 'duration', default: '10s', help: 'Time a stopping server goes on answering' },
    ...CLUSTER_FLAGS,
    ...PROCESS_FLAGS,
  },
  async run(flags, operands, context) {
    if (operands.length > 0)
      throw new UsageError(`webhook takes no operands and got ${JSON.stringify(operands[0])}`);
    const certFile = flags['tls-cert-file'];
    const keyFile = flags['tls-private-key-file'];
    if (certFile === undefined || keyFile === undefined) {
      throw new UsageError(
        '--tls-cert-file and --tls-private-key-file are required: the API server talks to webhooks over TLS only',
      );
    }
    const bind = address('bind-address', flags['bind-address']);
    const health = address('health-probe-bind-address', flags['health-probe-bind-address']);
    const cluster = await clusterConfig(flags, context);
    return runProcess('webhook', flags, context, (runtime, signal) =>
      runWebhook(
        {
          cluster,
          ...(bind.host === undefined ? {} : { host: bind.host }),
          port: bind.port,
          certificate: { certFile, keyFile },
          health,
          onCacheStale: CACHE_STALE[flags['on-cache-stale']],
          windowSeconds: Math.round(flags['stabilization-window'] / 1000),
          drainMs: flags['drain-delay'],
          version: context.version,
        },
        runtime,
        signal,
      ),
    );
  },
});
