// Compiles JSON Schemas that come from outside: by their own draft, with nothing loaded and no unbounded patterns.
import { createRequire } from 'node:module';
import type { Ajv, AnySchema, ValidateFunction } from 'ajv';
import type { Ajv2019 } from 'ajv/dist/2019.js';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import { draft4Problem, fromDraft4 } from './draft-04.ts';
import { FORMATS } from './formats.ts';
import { isJsonObject, type Json } from './json.ts';
import { SAFE_REGEXP } from './safe-regexp.ts';
import { schemaLeaves, type SchemaLeaf } from './schema-leaves.ts';

/** Engines are loaded when the first schema is compiled: most contracts bring none, and loading takes a while. */
const load = createRequire(import.meta.url);
const engine2020 = (): typeof Ajv2020 =>
  (load('ajv/dist/2020.js') as { readonly Ajv2020: typeof Ajv2020 }).Ajv2020;
const engine2019 = (): typeof Ajv2019 =>
  (load('ajv/dist/2019.js') as { readonly Ajv2019: typeof Ajv2019 }).Ajv2019;
const engine7 = (): typeof Ajv => (load('ajv') as { readonly Ajv: typeof Ajv }).Ajv;

export type CompiledSchema =
  | {
      readonly kind: 'schema';
      /** Leaves of the failures of `value`; empty when it is valid. */
      readonly check: (value: Json) => readonly SchemaLeaf[];
    }
  | { readonly kind: 'not-schema'; readonly reason: string };

type Dialect = 'draft-04' | 'draft-06' | 'draft-07' | '2019-09' | '2020-12';

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/schema', '2020-12'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/draft-06/schema', 'draft-06'],
  ['json-schema.org/draft-04/schema', 'draft-04'],
]);

const OPTIONS = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  ownProperties: true,
  verbose: true,
  logger: false,
  code: { regExp: SAFE_REGEXP },
} as const;
/** Formats assert up to draft-07; later drafts made them annotations. */
const ASSERTING = { ...OPTIONS, validateFormats: true, formats: FORMATS } as const;

/** Compiles one schema document (contract.md 5.3). Never throws. */
export function compileSchema(document: Json): CompiledSchema {
  if (typeof document !== 'boolean' && !isJsonObject(document)) {
    return { kind: 'not-schema', reason: 'a schema is an object, true or false' };
  }
  const dialect = dialectOf(document);
  if (dialect === undefined)
    return { kind: 'not-schema', reason: 'its $schema is not a known JSON Schema draft' };
  try {
    if (dialect === 'draft-04') {
      const problem = draft4Problem(document);
      if (problem !== undefined) return { kind: 'not-schema', reason: problem };
    }
    const schema = dialect === 'draft-04' ? fromDraft4(document) : document;
    const validate = instanceFor(dialect).compile(withoutDialect(schema));
    return { kind: 'schema', check: (value) => leavesOf(validate, value) };
  } catch (error) {
    // ajv reports every fault of a schema by throwing; whatever it is, the schema cannot be used.
    return {
      kind: 'not-schema',
      reason: error instanceof Error ? error.message.slice(0, 500) : String(error),
    };
  }
}

function leavesOf(validate: ValidateFunction, value: Json): readonly SchemaLeaf[] {
  try {
    return validate(value) ? [] : schemaLeaves(validate.errors ?? []);
  } catch (error) {
    // A schema that refers to itself at the same place never comes to an answer, so nothing satisfies it; a value that is
    // nested too deeply comes to none either.
    if (error instanceof RangeError) return [NO_ANSWER];
    throw error;
  }
}

/** The one leaf of a check that came to no answer. */
export const NO_ANSWER: SchemaLeaf = {
  path: [],
  pointer: '',
  reason: 'the schema refers to itself without end',
  unknown: [],
};

function dialectOf(document: Json): Dialect | undefined {
  const declared = isJsonObject(document) ? document['$schema'] : undefined;
  if (declared === undefined) return '2020-12';
  if (typeof declared !== 'string') return undefined;
  return DIALECTS.get(declared.replace(/^https?:\/\//, '').replace(/#$/, ''));
}

/** The dialect is chosen; what is left of its name would only have to be spelled as the engine spells it. */
function withoutDialect(document: Json): AnySchema {
  if (!isJsonObject(document)) return document === true;
  const { $schema: _dialect, ...rest } = document;
  return rest;
}

/** A schema is kept by its instance; one instance per schema lets both go together. */
function instanceFor(dialect: Dialect): Ajv {
  switch (dialect) {
    case '2020-12':
      return new (engine2020())(OPTIONS);
    case '2019-09':
      return new (engine2019())(OPTIONS);
    case 'draft-07':
    case 'draft-04':
      return new (engine7())(ASSERTING);
    case 'draft-06':
      return new (engine7())({ ...ASSERTING, defaultMeta: draft6.$id }).addMetaSchema(draft6);
    default:
      return dialect satisfies never;
  }
}
