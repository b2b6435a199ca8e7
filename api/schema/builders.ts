// Builders for the few shapes a Kubernetes structural schema has and typebox has not, each with its static type.
import { type Static, type TSchema, Type } from 'typebox';

export type Documented = { readonly description?: string };

/** A string out of a closed list. */
export function enumOf<const Values extends readonly string[]>(
  values: Values,
  options: Documented & { readonly default?: Values[number] } = {},
) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}

/** A map from any key to one kind of value. */
export function mapOf<Value extends TSchema>(
  value: Value,
  options: Documented & { readonly minProperties?: number } = {},
) {
  return Type.Unsafe<Readonly<Record<string, Static<Value>>>>({
    type: 'object',
    additionalProperties: value,
    ...options,
  });
}

/** A number or a string; Kubernetes knows this one union by an extension of its own. */
export function intOrString(options: Documented = {}) {
  return Type.Unsafe<number | string>({
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
    ...options,
  });
}

/** RFC 3339 text; the API server refuses anything else. */
export function time(options: Documented = {}) {
  return Type.String({ format: 'date-time', ...options });
}

export function int32(
  options: Documented & {
    readonly minimum?: number;
    readonly maximum?: number;
    readonly default?: number;
  } = {},
) {
  return Type.Integer({ format: 'int32', ...options });
}

export function int64(options: Documented & { readonly minimum?: number; readonly maximum?: number } = {}) {
  return Type.Integer({ format: 'int64', ...options });
}

export function strings(
  options: Documented & { readonly maxItems?: number; readonly minItems?: number } = {},
) {
  return Type.Array(Type.String(), options);
}

/** A list that is replaced whole by every writer. */
export function atomicList<Item extends TSchema>(
  item: Item,
  options: Documented & { readonly maxItems: number },
) {
  return Type.Array(item, { 'x-kubernetes-list-type': 'atomic', ...options });
}

/** One validation rule in CEL with the sentence a user reads when it fails. */
export type CelRule = { readonly rule: string; readonly message: string };

/** The schema extension that carries CEL rules. */
export function celRules(...rules: readonly CelRule[]): {
  readonly 'x-kubernetes-validations': readonly CelRule[];
} {
  return { 'x-kubernetes-validations': rules };
}
