// A promotion policy of either kind, compiled once from the object into what a decision needs.
import { parseDuration } from '../api/duration.ts';
import type { LabelSelector } from '../api/meta.ts';
import {
  type EvidenceSource,
  POLICY_MODES,
  type PolicyFreeze,
  type PolicyMode,
  type PolicyTarget,
  type PolicyWaiver,
  RULE_ACTIONS,
  type RuleAction,
} from '../api/promotion-policy.ts';
import * as read from '../api/read.ts';
import { DEFAULT_RULES, type Rules } from './rules.ts';

/** A policy ready to decide. `problems` are settings that could not be understood; each falls back to its default. */
export type Policy = {
  /** `namespace/name`, or the bare name of a cluster policy. */
  readonly name: string;
  readonly scope:
    | { readonly kind: 'namespace'; readonly namespace: string }
    | { readonly kind: 'cluster'; readonly selector?: LabelSelector };
  readonly mode: PolicyMode;
  readonly targets: readonly PolicyTarget[];
  readonly evidence: readonly EvidenceSource[];
  readonly rules: Omit<Rules, 'revision'>;
  readonly fixForward: 'Allow' | 'Deny';
  readonly freezes: readonly PolicyFreeze[];
  readonly problems: readonly string[];
};

/** Compiles a PromotionPolicy or ClusterPromotionPolicy. The API server's schema has checked its shape; this trusts nothing. */
export function compilePolicy(
  object: unknown,
  defaults: { readonly windowSeconds: number },
): Policy | undefined {
  const metadata = read.object(object, 'metadata');
  const name = read.string(metadata, 'name');
  const spec = read.object(object, 'spec');
  if (name === undefined || spec === undefined) return undefined;
  const namespace = read.string(metadata, 'namespace');
  const problems: string[] = [];
  const rules = read.object(spec, 'rules');
  return {
    name: namespace === undefined ? name : `${namespace}/${name}`,
    scope:
      namespace === undefined
        ? { kind: 'cluster', ...selectorOf(spec, 'namespaceSelector', 'selector') }
        : { kind: 'namespace', namespace },
    mode: oneOf(POLICY_MODES, spec, 'mode', problems) ?? 'Enforce',
    targets: read.list(spec, 'targets').flatMap(target),
    evidence: read.list(spec, 'evidence').flatMap(evidence),
    rules: {
      ...DEFAULT_RULES,
      ...actions(rules, problems),
      ...read.defined({ maxAgeMs: duration(rules, 'maxAge', problems) }),
      soakMs: duration(rules, 'soak', problems) ?? 0,
      windowSeconds: defaults.windowSeconds,
      readiness: read.string(rules, 'readiness') === 'Required' ? 'Required' : 'Ignored',
      dependencies: read.string(rules, 'dependencies') === 'Required' ? 'Required' : 'Ignored',
      minCoverage: read.integer(rules, 'minCoverage') ?? 0,
      waivers: read.list(spec, 'waivers').flatMap(waiver),
    },
    fixForward: read.string(rules, 'fixForward') === 'Deny' ? 'Deny' : 'Allow',
    freezes: read.list(spec, 'freezes').flatMap(freeze),
    problems,
  };
}

function actions(rules: read.Json | undefined, problems: string[]): Partial<Record<ActionRule, RuleAction>> {
  return Object.fromEntries(
    ACTION_RULES.flatMap((rule) => {
      const action = oneOf(RULE_ACTIONS, rules, rule, problems);
      return action === undefined ? [] : [[rule, action]];
    }),
  );
}

const ACTION_RULES = ['onMissing', 'onStale', 'onUnknown', 'onWarning', 'onReference'] as const;
type ActionRule = (typeof ACTION_RULES)[number];

function oneOf<T extends string>(
  words: readonly T[],
  from: unknown,
  key: string,
  problems: string[],
): T | undefined {
  const word = read.string(from, key);
  if (word === undefined) return undefined;
  const known = words.find((w) => w === word);
  if (known === undefined)
    problems.push(`${key} is ${JSON.stringify(word)}; it must be one of ${words.join(', ')}`);
  return known;
}

function duration(rules: read.Json | undefined, key: string, problems: string[]): number | undefined {
  const text = read.string(rules, key);
  if (text === undefined) return undefined;
  const parsed = parseDuration(text);
  if (parsed.kind === 'duration') return parsed.ms;
  problems.push(`rules.${key} is ${JSON.stringify(text)}: ${parsed.reason}`);
  return undefined;
}

function target(raw: unknown): PolicyTarget[] {
  const kinds = read.strings(raw, 'kinds') as PolicyTarget['kinds'];
  return kinds.length === 0 ? [] : [{ kinds, ...selectorOf(raw, 'selector', 'selector') }];
}

function evidence(raw: unknown): EvidenceSource[] {
  const namespace = read.string(raw, 'namespace');
  if (namespace === undefined) return [];
  const match = read.string(raw, 'match');
  const revision = read.string(raw, 'revision');
  return [
    {
      namespace,
      ...selectorOf(raw, 'selector', 'selector'),
      ...(match === 'SameName' || match === 'All' ? { match } : { match: 'SameService' as const }),
      ...(revision === 'Any' || revision === 'SameImages' ? { revision } : {}),
    },
  ];
}

function waiver(raw: unknown): PolicyWaiver[] {
  const [code, until] = [read.string(raw, 'code'), read.string(raw, 'until')];
  if (code === undefined || until === undefined) return [];
  return [
    read.defined({
      code,
      subject: read.string(raw, 'subject'),
      until,
      reason: read.string(raw, 'reason') ?? '',
      by: read.string(raw, 'by') ?? '',
    }),
  ];
}

function freeze(raw: unknown): PolicyFreeze[] {
  const [from, until] = [read.string(raw, 'from'), read.string(raw, 'until')];
  return from === undefined || until === undefined
    ? []
    : [{ from, until, reason: read.string(raw, 'reason') ?? '' }];
}

function selectorOf<K extends string>(raw: unknown, from: string, key: K): { [P in K]?: LabelSelector } {
  const selector = read.object(raw, from);
  return (selector === undefined ? {} : { [key]: selector as LabelSelector }) as { [P in K]?: LabelSelector };
}
