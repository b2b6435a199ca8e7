// Schemas of PromotionPolicy and ClusterPromotionPolicy: which writes are held to which verdicts, and by which rules.
import { Type } from 'typebox';
import { POLICY_MODES, RULE_ACTIONS, TARGET_KINDS } from '../promotion-policy.ts';
import { celRules, enumOf, int32, time } from './builders.ts';
import { ConditionsSchema, LabelSelectorSchema } from './common.ts';

/** What Go's duration parser accepts without a sign. */
const DURATION = '^(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$';
const action = (description: string) => Type.Optional(enumOf(RULE_ACTIONS, { description }));
const duration = (description: string) =>
  Type.Optional(Type.String({ pattern: DURATION, maxLength: 64, description }));

const target = Type.Object({
  kinds: Type.Array(enumOf(TARGET_KINDS), { minItems: 1, maxItems: TARGET_KINDS.length }),
  selector: Type.Optional(LabelSelectorSchema),
});

const evidence = Type.Object({
  namespace: Type.String({ minLength: 1, maxLength: 63, description: 'Namespace whose Pactos decide.' }),
  selector: Type.Optional(LabelSelectorSchema),
  match: Type.Optional(
    enumOf(['SameService', 'SameName', 'All'], { description: 'How a written object finds its evidence.' }),
  ),
  revision: Type.Optional(
    enumOf(['SameImages', 'Any'], {
      description: 'SameImages: the verdict must be about the images the write brings.',
    }),
  ),
});

const rules = Type.Object({
  onWarning: action('What a Warning verdict does.'),
  onUnknown: action('What an Unknown verdict does.'),
  onMissing: action('What it does when there is no verdict.'),
  onStale: action('What a verdict that is too old does.'),
  onReference: action('What a reference-only contract does.'),
  maxAge: duration('Age at which a verdict is stale.'),
  soak: duration('How long a service must have been compliant.'),
  readiness: Type.Optional(enumOf(['Ignored', 'Required'])),
  minCoverage: Type.Optional(
    int32({
      minimum: 0,
      maximum: 100,
      description: 'Percent of required assertions that must have been judged.',
    }),
  ),
  dependencies: Type.Optional(enumOf(['Ignored', 'Required'])),
  fixForward: Type.Optional(
    enumOf(['Allow', 'Deny'], { description: 'Deny also blocks the write that would repair a violation.' }),
  ),
});

const waiver = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 128, description: 'Finding code that is waived.' }),
  subject: Type.Optional(Type.String({ maxLength: 512 })),
  until: time({ description: 'When the waiver ends.' }),
  reason: Type.String({ minLength: 1, maxLength: 1024 }),
  by: Type.String({ minLength: 1, maxLength: 256, description: 'Who answers for it.' }),
});

const freeze = Type.Object(
  { from: time(), until: time(), reason: Type.String({ minLength: 1, maxLength: 1024 }) },
  celRules({ rule: 'self.from < self.until', message: 'from must be before until' }),
);

const policyFields = {
  mode: Type.Optional(
    enumOf(POLICY_MODES, {
      default: 'Enforce',
      description: 'Enforce denies, Warn admits with a warning, Audit only records.',
    }),
  ),
  targets: Type.Array(target, { minItems: 1, maxItems: 64, description: 'Which writes are governed.' }),
  evidence: Type.Optional(
    Type.Array(evidence, {
      maxItems: 64,
      description: 'Whose verdicts decide; by default those of the own namespace.',
    }),
  ),
  rules: Type.Optional(rules),
  waivers: Type.Optional(Type.Array(waiver, { maxItems: 256 })),
  freezes: Type.Optional(
    Type.Array(freeze, { maxItems: 64, description: 'Times in which nothing is promoted.' }),
  ),
};

export const PromotionPolicySpecSchema = Type.Object(policyFields);

export const ClusterPromotionPolicySpecSchema = Type.Object({
  ...policyFields,
  namespaceSelector: Type.Optional(LabelSelectorSchema),
  annotations: Type.Optional(
    enumOf(['Ignore', 'Honour'], {
      description: 'Whether the evidence annotation on a written object counts.',
    }),
  ),
});

export const PromotionPolicyStatusSchema = Type.Object({
  conditions: Type.Optional(ConditionsSchema),
  wouldBlock: Type.Optional(
    Type.Object({
      last24h: Type.Optional(int32({ description: 'Writes that would have been blocked in the last day.' })),
    }),
  ),
});
