// Whether a configuration document fits its schema (evaluation.md 7.2). Only the answer leaves: no key, no value.
import { compileSchema, NO_ANSWER } from './compile-schema.ts';
import { readGeneric } from './generic-reading.ts';
import type { Json } from './json.ts';
import { readYaml } from './read-yaml.ts';

/** undecided: there is nothing to judge, nothing to judge it by, or no answer. */
export type DocumentFit = 'conforms' | 'violates' | 'undecided';

export type DocumentQuestion = {
  readonly text: string;
  /** `yaml` or `json`; nothing else can be read. */
  readonly format: string | undefined;
  /** JSON text. */
  readonly schema: string;
};

/** Judges one document. A schema may be made to run for ever: where it is not ours, ask a thread (`ContractChecker.fit`). */
export function documentFit({ text, format, schema }: DocumentQuestion): DocumentFit {
  const document = readDocument(text, format);
  const schemaDocument = readDocument(schema, 'json');
  if (document === undefined || schemaDocument === undefined) return 'undecided';
  const compiled = compileSchema(schemaDocument.value);
  if (compiled.kind !== 'schema') return 'undecided';
  const leaves = compiled.check(document.value);
  if (leaves.includes(NO_ANSWER)) return 'undecided';
  return leaves.length === 0 ? 'conforms' : 'violates';
}

function readDocument(text: string, format: string | undefined): { readonly value: Json } | undefined {
  if (format === 'json') {
    try {
      return { value: JSON.parse(text) as Json };
    } catch {
      return undefined;
    }
  }
  if (format !== 'yaml') return undefined;
  const source = readYaml(text);
  if (source.problems.length > 0) return undefined;
  const reading = readGeneric(source.root);
  return reading.kind === 'value' ? reading : undefined;
}
