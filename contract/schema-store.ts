// The schemas of one bundle, each read and compiled when it is first asked for.
import type { BundleFiles } from './bundle-files.ts';
import { compileSchema, type CompiledSchema } from './compile-schema.ts';
import { parseJsonText } from './json-text.ts';
import { decodeText } from './text.ts';

export type StoredSchema =
  | CompiledSchema
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'not-json'; readonly reason: string };

/** Lives as long as one validation. Without files every schema is missing. */
export class SchemaStore {
  readonly #files: BundleFiles | undefined;
  readonly #schemas = new Map<string, StoredSchema>();

  constructor(files: BundleFiles | undefined) {
    this.#files = files;
  }

  get(path: string): StoredSchema {
    const known = this.#schemas.get(path);
    if (known !== undefined) return known;
    const schema = this.#load(path);
    this.#schemas.set(path, schema);
    return schema;
  }

  #load(path: string): StoredSchema {
    const file = this.#files?.read(path) ?? { kind: 'missing' };
    if (file.kind !== 'file') return file;
    const decoded = decodeText(file.bytes);
    if (decoded.kind === 'undecodable') return { kind: 'not-json', reason: decoded.reason };
    const parsed = parseJsonText(decoded.text);
    return parsed.kind === 'invalid'
      ? { kind: 'not-json', reason: parsed.reason }
      : compileSchema(parsed.value);
  }
}
