// Schemas shared by several kinds: conditions and label selectors, as Kubernetes itself defines them.
import { Type } from 'typebox';
import { MAX_CONDITION_MESSAGE } from '../truncate.ts';
import { celRules, enumOf, int64, mapOf, strings, time } from './builders.ts';

/** A metav1.Condition list, merged by `type`. */
export const ConditionsSchema = Type.Array(
  Type.Object({
    type: Type.String({
      maxLength: 316,
      pattern:
        '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
    }),
    status: enumOf(['True', 'False', 'Unknown']),
    reason: Type.String({
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    message: Type.String({ maxLength: MAX_CONDITION_MESSAGE }),
    lastTransitionTime: time({ description: 'When the status last changed.' }),
    observedGeneration: Type.Optional(
      int64({ minimum: 0, description: 'metadata.generation the condition was set for.' }),
    ),
  }),
  { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
);

/** A metav1.LabelSelector; a requirement that could never hold is refused, because it would silently select nothing. */
export const LabelSelectorSchema = Type.Object({
  matchLabels: Type.Optional(mapOf(Type.String({ maxLength: 63 }))),
  matchExpressions: Type.Optional(
    Type.Array(
      Type.Object(
        {
          key: Type.String({ minLength: 1, maxLength: 317 }),
          operator: enumOf(['In', 'NotIn', 'Exists', 'DoesNotExist']),
          values: Type.Optional(strings({ maxItems: 64 })),
        },
        celRules({
          rule: "self.operator in ['In', 'NotIn'] ? has(self.values) && size(self.values) > 0 : !has(self.values) || size(self.values) == 0",
          message: 'In and NotIn need at least one value, Exists and DoesNotExist take none',
        }),
      ),
      { maxItems: 32 },
    ),
  ),
});
