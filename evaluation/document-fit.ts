// Whether a configuration document fits its schema (evaluation.md 7.2). Only the answer leaves: no key, no value.
import { compileSchema } from '../contract/compile-schema.ts';
import { readGeneric } from '../contract/generic-reading.ts';
import type { Json } from '../contract/json.ts';
import { readYaml } from '../contract/read-yaml.ts';
import type { DocumentFit, DocumentInquiry } from './observe/inquiry.ts';

/** Judges the text at the asked key. `data` is that of the ConfigMap; undecided where text or schema cannot be used. */
export function documentFit(
  { key, format, schema }: Pick<DocumentInquiry, 'key' | 'format' | 'schema'>,
  data: Readonly<Record<string, string>>,
): DocumentFit {
  if (key === undefined || !Object.hasOwn(data, key) || schema === undefined) return 'undecided';
  const document = readDocument(data[key] ?? '', format);
  const schemaDocument = readDocument(schema, 'json');
  if (document === undefined || schemaDocument === undefined) return 'undecided';
  const compiled = compileSchema(schemaDocument.value);
  if (compiled.kind !== 'schema') return 'undecided';
  return compiled.check(document.value).length === 0 ? 'conforms' : 'violates';
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
