// Regular expressions from outside, run by a linear-time engine: look-around and back-references do not compile.
import { RE2JS } from 're2js';

export type SafeRegExp = { test(text: string): boolean; toString(): string };

/** Compiles `pattern`; throws SyntaxError with the engine's reason when it is not in the linear-time dialect. */
export function safeRegExp(pattern: string): SafeRegExp {
  try {
    const compiled = RE2JS.compile(pattern);
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
