// Regular expressions from outside, run by a linear-time engine: look-around and back-references do not compile.
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** The engine is loaded for the first pattern; most contracts bring none. */
const load = createRequire(import.meta.url);
const engine = (): typeof RE2JS => (load('re2js') as { readonly RE2JS: typeof RE2JS }).RE2JS;

export type SafeRegExp = { test(text: string): boolean; toString(): string };

/** Compiles `pattern`; throws SyntaxError with the engine's reason when it is not in the linear-time dialect. */
export function safeRegExp(pattern: string): SafeRegExp {
  try {
    const compiled = engine().compile(pattern);
    return {
      test: (text) => compiled.matcher(text).find(),
      // ajv keeps expressions by their text: two that read the same would be taken for one.
      toString: () => `re2:${pattern}`,
    };
  } catch (error) {
    throw new SyntaxError(
      `pattern ${JSON.stringify(pattern.slice(0, 200))} is not supported: ${String(error)}`,
      { cause: error },
    );
  }
}

/** The same in the shape in which ajv takes a replacement of RegExp. */
export const SAFE_REGEXP = Object.assign((pattern: string) => safeRegExp(pattern), { code: 'safeRegExp' });
