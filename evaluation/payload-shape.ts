// The exact shape of each payload, for reading evidence that comes from outside.
import { isObject } from '../api/read.ts';
import type { AssertionKind, Payloads } from './evidence.ts';

type Field = {
  readonly type: 'boolean' | 'text';
  readonly words?: readonly string[];
  readonly fact: boolean;
};

const flag: Field = { type: 'boolean', fact: false };
const text = (words?: readonly string[]): Field => ({
  type: 'text',
  fact: false,
  ...(words !== undefined && { words }),
});
const fact = (words?: readonly string[]): Field => ({
  type: 'text',
  fact: true,
  ...(words !== undefined && { words }),
});

/** Fields in the order in which they are written. Facts are left out when empty; other fields never. */
const SHAPES: { readonly [K in AssertionKind]: { readonly [F in keyof Required<Payloads[K]>]: Field } } = {
  InterfaceObserved: {
    type: text(),
    present: flag,
    protocol: fact(['http1', 'http2', 'tls', 'other']),
    exposure: fact(['external', 'internal']),
  },
  DependencyReachable: { reachable: flag, version: fact() },
  CapabilityObserved: { present: flag },
  ConfigurationPresent: { present: flag, conformant: flag },
  WorkloadObserved: { type: text(['service', 'job', 'scheduled']) },
  PersistenceObserved: { durable: flag, scope: fact(['shared', 'local']) },
};

export type PayloadResult<K extends AssertionKind> =
  | { readonly kind: 'payload'; readonly value: Payloads[K] }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Reads one payload strictly: unknown keys and wrong types are refused, missing keys take the zero value. */
export function decodePayload<K extends AssertionKind>(kind: K, raw: unknown): PayloadResult<K> {
  if (!isObject(raw)) return invalid('the value is not an object');
  const fields: Readonly<Record<string, Field>> = SHAPES[kind];
  const unknown = Object.keys(raw).find((key) => !Object.hasOwn(fields, key));
  if (unknown !== undefined) return invalid(`unknown key ${JSON.stringify(unknown)} in the value`);
  const value: Record<string, boolean | string> = {};
  for (const [name, field] of Object.entries(fields)) {
    const given: unknown = raw[name];
    const problem = given === undefined ? undefined : fieldProblem(name, field, given);
    if (problem !== undefined) return invalid(problem);
    if (typeof given === 'boolean' || (typeof given === 'string' && !(field.fact && given === '')))
      value[name] = given;
    else if (given === undefined && !field.fact) value[name] = field.type === 'boolean' ? false : '';
  }
  return { kind: 'payload', value: value as Payloads[K] };
}

/** The payload with its keys in wire order and empty facts left out. */
export function encodePayload<K extends AssertionKind>(
  kind: K,
  value: Payloads[K],
): Readonly<Record<string, unknown>> {
  const source = value as Readonly<Record<string, unknown>>;
  const fields: Readonly<Record<string, Field>> = SHAPES[kind];
  const kept = Object.entries(fields).filter(([name, field]) => !field.fact || (source[name] ?? '') !== '');
  return Object.fromEntries(kept.map(([name]) => [name, source[name]]));
}

function fieldProblem(name: string, field: Field, given: unknown): string | undefined {
  const type = field.type === 'boolean' ? 'boolean' : 'string';
  if (typeof given !== type) return `${name} must be a ${type}`;
  // The zero value is admitted everywhere: it is what a missing key means.
  if (field.words === undefined || given === '' || field.words.includes(String(given))) return undefined;
  return `${name} must be one of ${field.words.join(', ')}`;
}

function invalid(reason: string): { readonly kind: 'invalid'; readonly reason: string } {
  return { kind: 'invalid', reason };
}
