// `pacto-gate status`: Pactos and their verdicts as a table, and with -w each change as it happens.
import Table from 'cli-table3';
import { GATE_API_VERSION } from '../api/names.ts';
import { printable } from '../api/printable.ts';
import { decide } from '../gate/decide.ts';
import type { Decision } from '../gate/decision.ts';
import { GATE_RESOURCES } from '../gate/cache/resources.ts';
import { DEFAULT_RULES } from '../gate/rules.ts';
import { type Verdict, verdictOf } from '../gate/verdict.ts';
import { Informer } from '../kube/informer.ts';
import type { KubeClient } from '../kube/client.ts';
import { createLogger } from '../runtime/logger.ts';
import { Metrics } from '../runtime/metrics.ts';
import { orNotServed } from './check/select.ts';
import { CLUSTER_FLAGS, withClient } from './cluster-flags.ts';
import { type Colors, colorsFor } from './colors.ts';
import { type CliContext, defineCommand, EXIT, UsageError } from './command.ts';

export const status = defineCommand({
  name: 'status',
  description: `Shows Pactos with their verdict, when it was made, and what the gate would answer by its default rules.

Examples:
  pacto-gate status -A
  pacto-gate status -n shop-staging -w`,
  refusalCode: 2,
  flags: {
    namespace: { kind: 'string', short: 'n', help: "Namespace; default the context's", placeholder: 'NAME' },
    'all-namespaces': { kind: 'boolean', short: 'A', default: false, help: 'All namespaces' },
    watch: { kind: 'boolean', short: 'w', default: false, help: 'Go on and show each change' },
    output: { kind: 'choice', short: 'o', choices: ['text', 'json'], default: 'text', help: 'Output format' },
    ...CLUSTER_FLAGS,
  },
  async run(flags, operands, context) {
    if (operands.length > 0)
      throw new UsageError(
        `status takes no operands and got ${JSON.stringify(operands[0])}; use check for single Pactos`,
      );
    if (flags.watch && flags.output === 'json')
      throw new UsageError('--watch shows text only; leave out --output json');
    return withClient(flags, context, async ({ client, config }) => {
      const namespace = flags['all-namespaces']
        ? undefined
        : (flags.namespace ?? config.namespace ?? 'default');
      if (flags.watch) await follow(client, namespace, context);
      else await show(client, namespace, flags.output, context);
      return EXIT.allow;
    });
  },
});

async function show(
  client: KubeClient,
  namespace: string | undefined,
  output: 'text' | 'json',
  context: CliContext,
): Promise<void> {
  const selection = { signal: context.signal, ...(namespace === undefined ? {} : { namespace }) };
  const page = await orNotServed(client.listAll(GATE_RESOURCES.pactos, selection));
  const verdicts = page.items.map(verdictOf).filter((verdict) => verdict !== undefined);
  if (output === 'json') context.stdout.write(json(verdicts, context));
  else if (verdicts.length > 0) context.stdout.write(table(verdicts, context));
  else
    context.stderr.write(
      `no Pactos ${namespace === undefined ? 'in any namespace' : `in namespace ${namespace}`}\n`,
    );
}

function answer(verdict: Verdict, context: CliContext): Decision {
  return decide({ verdicts: [verdict], rules: DEFAULT_RULES, now: new Date(context.clock.wall.now()) });
}

function json(verdicts: readonly Verdict[], context: CliContext): string {
  const items = verdicts.map((v) => answer(v, context));
  return `${JSON.stringify({ apiVersion: GATE_API_VERSION, kind: 'DecisionList', items }, null, 2)}\n`;
}

const HEAD = ['NAMESPACE', 'NAME', 'STATUS', 'VERSION', 'JUDGED', 'GATE', 'WHY'];

function table(verdicts: readonly Verdict[], context: CliContext, head: readonly string[] = HEAD): string {
  const colors = colorsFor(context.stdout, context.env);
  const rows = new Table({
    chars: { ...NO_BORDER, middle: '   ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    ...(head.length === 0 ? {} : { head: [...head] }),
  });
  for (const verdict of verdicts) rows.push(row(verdict, context, colors));
  const lines = rows
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  return `${lines.join('\n')}\n`;
}

const NO_BORDER = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
} as const;

function row(verdict: Verdict, context: CliContext, colors: Colors): string[] {
  const decision = answer(verdict, context);
  const paint = { allow: colors.green, hold: colors.yellow, deny: colors.red }[decision.decision];
  const wait = decision.retryAfterSeconds === undefined ? '' : ` ${decision.retryAfterSeconds}s`;
  return [
    verdict.namespace,
    verdict.name,
    printable(verdict.contractStatus ?? '-'),
    printable(verdict.contractVersion ?? '-'),
    judged(verdict, context),
    paint(`${decision.decision}${wait}`),
    [
      ...new Set(decision.reasons.map((r) => [r.finding ?? r.code, r.subject].filter(Boolean).join(' '))),
    ].join(', '),
  ];
}

function judged(verdict: Verdict, context: CliContext): string {
  if (verdict.lastReconciledAtMs === undefined) return '-';
  const seconds = Math.max(0, Math.round((context.clock.wall.now() - verdict.lastReconciledAtMs) / 1000));
  return seconds < 120 ? `${seconds}s` : `${Math.round(seconds / 60)}m`;
}

/** Writes the table, then one row for each change until the command is interrupted. Nothing is missed in between. */
async function follow(client: KubeClient, namespace: string | undefined, context: CliContext): Promise<void> {
  const { clock, stdout, signal } = context;
  const informer = new Informer<Verdict | undefined>({
    client,
    type: GATE_RESOURCES.pactos,
    project: verdictOf,
    clock,
    log: createLogger({ fields: { process: 'status' }, level: 'error' }),
    metrics: new Metrics(),
    ...(namespace === undefined ? {} : { namespace }),
  });
  const stop = new AbortController();
  const running = informer.run(AbortSignal.any([signal, stop.signal]));
  await informer.whenSettled(signal).catch(() => undefined);
  const present = informer.list();
  if (present.kind === 'unreadable' && !signal.aborted) {
    stop.abort();
    await running;
    throw new Error(`Pactos cannot be shown: ${present.reason}`);
  }
  const verdicts = present.kind === 'found' ? present.value.filter((verdict) => verdict !== undefined) : [];
  if (verdicts.length > 0) stdout.write(table(verdicts, context));
  // No event can have been handled since the list was taken: nothing was awaited in between.
  informer.subscribe((change) => {
    if (change.kind === 'deleted') stdout.write(`${change.key.replace('/', '   ')}   deleted\n`);
    else if (change.value !== undefined) stdout.write(table([change.value], context, []));
  });
  await running;
}
