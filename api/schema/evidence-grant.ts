// Schema of EvidenceGrant: which policies of other namespaces may read the verdicts of this one.
import { Type } from 'typebox';
import { celRules, enumOf } from './builders.ts';
import { LabelSelectorSchema } from './common.ts';

export const EvidenceGrantSpecSchema = Type.Object({
  from: Type.Array(
    Type.Object(
      {
        kind: enumOf(['PromotionPolicy']),
        namespace: Type.Optional(Type.String({ minLength: 1, maxLength: 63 })),
        namespaceSelector: Type.Optional(LabelSelectorSchema),
      },
      celRules({
        rule: 'has(self.namespace) != has(self.namespaceSelector)',
        message: 'set exactly one of namespace and namespaceSelector',
      }),
    ),
    { minItems: 1, maxItems: 64 },
  ),
  selector: Type.Optional(LabelSelectorSchema),
});
