// What an unquoted scalar means in the generic reading (contract.md 2.2): the rules of the YAML library upstream uses,
// which are neither YAML 1.1 nor the 1.2 core schema.

export type ScalarValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string' };

const STRING: ScalarValue = { kind: 'string' };
const WORDS: ReadonlyMap<string, ScalarValue> = new Map<string, ScalarValue>([
  ...words({ kind: 'null' }, '', '~', 'null', 'Null', 'NULL'),
  ...words({ kind: 'boolean', value: true }, 'true', 'True', 'TRUE'),
  ...words({ kind: 'boolean', value: false }, 'false', 'False', 'FALSE'),
  ...words({ kind: 'float', value: Number.NaN }, '.nan', '.NaN', '.NAN'),
  ...words({ kind: 'float', value: Infinity }, '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'),
  ...words({ kind: 'float', value: -Infinity }, '-.inf', '-.Inf', '-.INF'),
]);
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
/** Groups: sign, then digits of a hexadecimal, binary, new octal, old octal or decimal number. */
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|0([0-7]+)|(0|[1-9][0-9]*))$/;
const MAX_UINT_64 = 2n ** 64n - 1n;
const MIN_INT_64 = -(2n ** 63n);

/** Resolves plain text. Integers beyond 64 bits become floats, as upstream; both lose digits past 2^53 in JSON numbers. */
export function resolvePlain(text: string): ScalarValue {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  // Only these may begin a number; most text is decided by its first character.
  if (!/^[-+.0-9]/.test(text)) return STRING;
  if (text.startsWith('.')) return floatOf(text);
  const digits = text.replaceAll('_', '');
  return integerOf(digits) ?? floatOf(digits);
}

function integerOf(text: string): ScalarValue | undefined {
  const match = INTEGER.exec(text);
  // A hundred digits are no 64-bit integer; not building the number keeps hostile text cheap.
  if (match === null || text.length > 100) return undefined;
  const [, sign, hex, binary, octal, oldOctal, decimal] = match;
  const magnitude = BigInt(
    hex !== undefined
      ? `0x${hex}`
      : binary !== undefined
        ? `0b${binary}`
        : (octal ?? oldOctal) !== undefined
          ? `0o${octal ?? oldOctal}`
          : (decimal ?? '0'),
  );
  const value = sign === '-' ? -magnitude : magnitude;
  if (value > MAX_UINT_64 || value < MIN_INT_64) return undefined;
  return { kind: 'integer', value: Number(value) };
}

/** A float too large for a double is a string, because upstream's conversion fails on it. */
function floatOf(text: string): ScalarValue {
  if (!FLOAT.test(text)) return STRING;
  const value = Number(text);
  return Number.isFinite(value) ? { kind: 'float', value } : STRING;
}

function words(value: ScalarValue, ...texts: readonly string[]): (readonly [string, ScalarValue])[] {
  return texts.map((text) => [text, value]);
}
