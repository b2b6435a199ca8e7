// `pacto-gate check`: the gate for CI and people. Asks once, or with --wait until the answer is no hold any more.
import { decide } from '../../gate/decide.ts';
import { combine, type Decision } from '../../gate/decision.ts';
import { freezes } from '../../gate/judge-policy.ts';
import type { KubeClient } from '../../kube/client.ts';
import { sleep } from '../../runtime/sleep.ts';
import { CLUSTER_FLAGS, withClient } from '../cluster-flags.ts';
import { colorsFor } from '../colors.ts';
import { type CliContext, defineCommand, EXIT } from '../command.ts';
import { decisionJson, decisionText } from './output.ts';
import { type CheckRules, checkRules } from './rules.ts';
import { readVerdicts, type Selection, selectionOf, withRunning } from './select.ts';

/** Time between two looks while waiting, in milliseconds. */
const LOOK_EVERY_MS = 2_000;

export const check = defineCommand({
  name: 'check',
  operands: '[NAMESPACE/NAME ...]',
  description: `Decides about Pactos by their verdicts. Names none: all of the namespace, or those --selector picks.

Exit codes: 0 allow, 1 deny, 2 wrong usage, 3 could not evaluate, 4 still held, 5 allowed with warnings
(with --fail-on-warning).

Examples:
  pacto-gate check shop-staging/api
  pacto-gate check -n shop-staging -l tier=backend --wait --timeout 10m
  pacto-gate check shop-staging/api --image registry.example.com/api:1.4.2 -o json`,
  refusalCode: 2,
  flags: {
    namespace: {
      kind: 'string',
      short: 'n',
      help: "Namespace of names without one; default the context's",
      placeholder: 'NAME',
    },
    selector: { kind: 'string', short: 'l', help: 'Label selector for Pactos', placeholder: 'SELECTOR' },
    policy: {
      kind: 'string',
      help: 'File with a PromotionPolicy whose rules and waivers count',
      placeholder: 'FILE',
    },
    image: { kind: 'strings', help: 'Image the verdict must be about', placeholder: 'REF' },
    'stabilization-window': {
      kind: 'duration',
      default: '2m',
      help: "The operator's window, where a verdict does not state it",
    },
    wait: { kind: 'boolean', default: false, help: 'Wait while the answer is hold' },
    timeout: { kind: 'duration', default: '10m', help: 'Longest wait' },
    'fail-on-warning': { kind: 'boolean', default: false, help: 'Exit 5 when allowed with warnings' },
    progress: {
      kind: 'boolean',
      default: false,
      help: 'Show progress on standard error also when it is no terminal',
    },
    output: { kind: 'choice', short: 'o', choices: ['text', 'json'], default: 'text', help: 'Output format' },
    ...CLUSTER_FLAGS,
  },
  async run(flags, operands, context) {
    const asked = await checkRules({
      policyFile: flags.policy,
      images: flags.image,
      windowSeconds: Math.round(flags['stabilization-window'] / 1000),
    });
    const decision = await withClient(flags, context, ({ client, config }) => {
      const namespace = flags.namespace ?? config.namespace ?? 'default';
      const selection = selectionOf(operands, { namespace, selector: flags.selector });
      const progress = flags.progress || context.stderr.isTerminal;
      return flags.wait
        ? waitForAnswer({ client, selection, asked, timeoutMs: flags.timeout, progress }, context)
        : ask(client, selection, asked, context);
    });
    const text =
      flags.output === 'json'
        ? decisionJson(decision)
        : decisionText(decision, colorsFor(context.stdout, context.env), context.clock.wall.now());
    context.stdout.write(text);
    return exitCode(decision, flags['fail-on-warning']);
  },
});

async function ask(
  client: KubeClient,
  selection: Selection,
  { rules, policy }: CheckRules,
  context: CliContext,
): Promise<Decision> {
  const read = await readVerdicts(client, selection, context.signal);
  const verdicts = rules.revision.kind === 'any' ? read : await withRunning(client, read, context.signal);
  const now = new Date(context.clock.wall.now());
  const decision = decide({ verdicts, rules, now });
  if (policy === undefined) return decision;
  return { ...combine([decision, ...freezes(policy, now)], decision.evaluatedAt), policy: policy.name };
}

type Wait = {
  readonly client: KubeClient;
  readonly selection: Selection;
  readonly asked: CheckRules;
  readonly timeoutMs: number;
  readonly progress: boolean;
};

async function waitForAnswer(wait: Wait, context: CliContext): Promise<Decision> {
  const { clock, signal, stderr } = context;
  const deadline = clock.monotonic.now() + wait.timeoutMs;
  let shown = '';
  for (;;) {
    const decision = await ask(wait.client, wait.selection, wait.asked, context);
    const left = deadline - clock.monotonic.now();
    if (decision.decision !== 'hold' || left <= 0 || signal.aborted) {
      if (wait.progress && stderr.isTerminal && shown !== '') stderr.write('\r\u001B[K');
      return decision;
    }
    if (wait.progress) shown = showProgress(decision, left, shown, context);
    await sleep(clock.timers, Math.min(LOOK_EVERY_MS, left), signal);
  }
}

/** On a terminal one line that is written over; elsewhere a line whenever what is waited for changes. */
function showProgress(decision: Decision, leftMs: number, shown: string, { stderr }: CliContext): string {
  const why = decision.reasons[0]?.message ?? 'held';
  if (!stderr.isTerminal) {
    const codes = decision.reasons.map((r) => `${r.code} ${r.pacto ?? ''}`).join();
    if (codes !== shown) stderr.write(`waiting: ${why}\n`);
    return codes;
  }
  const retry = decision.retryAfterSeconds === undefined ? '' : `, about ${decision.retryAfterSeconds} s`;
  const line = `waiting${retry} (at most ${Math.ceil(leftMs / 1000)} s): ${why}`;
  stderr.write(`\r\u001B[K${line.length > stderr.columns ? `${line.slice(0, stderr.columns - 1)}…` : line}`);
  return line;
}

function exitCode(decision: Decision, failOnWarning: boolean): number {
  switch (decision.decision) {
    case 'deny':
      return EXIT.deny;
    case 'hold':
      return EXIT.held;
    case 'allow':
      return failOnWarning && decision.warnings.length > 0 ? EXIT.warned : EXIT.allow;
  }
}
