// Decoders of our kinds: unknown data in, a typed object or the list of its problems out. Nothing is compiled before the
// first use of a kind.
import { type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { NodeRuntimeObservation } from '../node-runtime-observation.ts';
import type { Pacto, PactoRevision } from '../pacto.ts';
import type { ClusterPromotionPolicy, EvidenceGrant, PromotionPolicy } from '../promotion-policy.ts';
import { parseTime } from '../time.ts';
import { customResource, type CustomResource } from './custom-resources.ts';

export type SchemaProblem = {
  /** JSON pointer into the object; empty for the object itself. */
  readonly path: string;
  readonly message: string;
};

export type Decoded<T> =
  | { readonly kind: 'valid'; readonly value: T }
  | { readonly kind: 'invalid'; readonly problems: readonly SchemaProblem[] };

type Kinds = {
  readonly Pacto: Pacto;
  readonly PactoRevision: PactoRevision;
  readonly NodeRuntimeObservation: NodeRuntimeObservation;
  readonly PromotionPolicy: PromotionPolicy;
  readonly ClusterPromotionPolicy: ClusterPromotionPolicy;
  readonly EvidenceGrant: EvidenceGrant;
};

const MAX_INT_32 = 2 ** 31;
let ajv: Ajv2020 | undefined;
const compiled = new Map<string, ValidateFunction>();

/**
 * Checks `value` against the schema the API server holds for `kind`, apiVersion and kind included. CEL rules are the API
 * server's alone. The value is returned as it is: nothing is defaulted, removed or copied.
 */
export function decode<K extends keyof Kinds>(kind: K, value: unknown): Decoded<Kinds[K]> {
  const validate = compiled.get(kind) ?? compile(kind);
  if (validate(value)) return { kind: 'valid', value: value as Kinds[K] };
  return { kind: 'invalid', problems: (validate.errors ?? []).map(problemOf) };
}

function compile(kind: string): ValidateFunction {
  ajv ??= newAjv();
  const validate = ajv.compile(envelope(customResource(kind)));
  compiled.set(kind, validate);
  return validate;
}

function envelope({ group, version, kind, spec, status }: CustomResource): Record<string, unknown> {
  return {
    type: 'object',
    properties: {
      apiVersion: { const: `${group}/${version}` },
      kind: { const: kind },
      metadata: {
        type: 'object',
        properties: { name: { type: 'string', minLength: 1 } },
        required: ['name'],
      },
      spec,
      ...(status !== undefined && { status }),
    },
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
  };
}

function newAjv(): Ajv2020 {
  const instance = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  instance.addFormat('date-time', (text: string) => parseTime(text) !== undefined);
  instance.addFormat('int32', {
    type: 'number',
    validate: (n: number) => n >= -MAX_INT_32 && n < MAX_INT_32,
  });
  instance.addFormat('int64', { type: 'number', validate: Number.isInteger });
  instance.addVocabulary([
    'x-kubernetes-int-or-string',
    'x-kubernetes-list-type',
    'x-kubernetes-list-map-keys',
    'x-kubernetes-validations',
  ]);
  return instance;
}

function problemOf({ instancePath, message = 'is not valid', params, keyword }: ErrorObject): SchemaProblem {
  const allowed: unknown = keyword === 'enum' ? params['allowedValues'] : undefined;
  const detail = Array.isArray(allowed) ? `must be one of ${allowed.join(', ')}` : message;
  return { path: instancePath, message: detail };
}
