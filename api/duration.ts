// Durations as users write them in Kubernetes: the text of Go's time.Duration, such as `90s`, `1h30m` or `0`.

export type ParsedDuration =
  | { readonly kind: 'duration'; readonly ms: number }
  | { readonly kind: 'invalid'; readonly reason: string };

const NS_PER_MS = 1_000_000n;
const NS_PER_UNIT: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', NS_PER_MS],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const MAX_NS = 2n ** 63n;
const PART = /(\d*)(?:\.(\d*))?([^\d.]*)/y;

/**
 * Reads a duration by the rules of Go's `time.ParseDuration`: an optional sign, then one or more decimal numbers each
 * with a unit (`ns us µs ms s m h`); `0` alone needs none. Results beyond 64-bit nanoseconds are refused.
 * @returns the length in milliseconds (a fraction below one millisecond is kept), or why the text is no duration
 */
export function parseDuration(text: string): ParsedDuration {
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text;
  if (unsigned === '0') return { kind: 'duration', ms: 0 };
  if (unsigned === '') return invalid(`invalid duration ${JSON.stringify(text)}`);
  let total = 0n;
  for (let at = 0; at < unsigned.length; ) {
    PART.lastIndex = at;
    const [whole = '', integer = '', fraction, unit = ''] = PART.exec(unsigned) ?? [];
    if (integer === '' && (fraction ?? '') === '') return invalid(`invalid duration ${JSON.stringify(text)}`);
    if (unit === '') return invalid(`missing unit in duration ${JSON.stringify(text)}`);
    const scale = NS_PER_UNIT.get(unit);
    if (scale === undefined) {
      return invalid(`unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`);
    }
    const digits = integer.replace(/^0+/, '');
    // Twenty digits overflow in any unit; not building the number keeps hostile text cheap.
    total +=
      digits.length > 19 ? MAX_NS + 1n : BigInt(digits || 0) * scale + fractionOf(fraction ?? '', scale);
    if (total > MAX_NS) return invalid(`invalid duration ${JSON.stringify(text)}: longer than 292 years`);
    at += whole.length;
  }
  const negative = text.startsWith('-');
  if (!negative && total === MAX_NS)
    return invalid(`invalid duration ${JSON.stringify(text)}: longer than 292 years`);
  const ms = Number(total / NS_PER_MS) + Number(total % NS_PER_MS) / 1e6;
  return { kind: 'duration', ms: negative ? -ms : ms };
}

/** Text that Go's `Duration.String` gives for `ms`: `2m0s`, `1.5s`, `300ms`, `0s`. Finer than a nanosecond is lost. */
export function formatDuration(ms: number): string {
  const length = Math.abs(ms);
  const ns = BigInt(Math.trunc(length)) * NS_PER_MS + BigInt(Math.round((length % 1) * 1e6));
  const sign = ms < 0 && ns > 0n ? '-' : '';
  if (ns === 0n) return '0s';
  if (ns < 1_000n) return `${sign}${ns}ns`;
  if (ns < NS_PER_MS) return `${sign}${decimal(ns, 1_000n)}µs`;
  if (ns < 1_000_000_000n) return `${sign}${decimal(ns, NS_PER_MS)}ms`;
  const hours = ns / 3_600_000_000_000n;
  const minutes = (ns / 60_000_000_000n) % 60n;
  const seconds = `${decimal(ns % 60_000_000_000n, 1_000_000_000n)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : sign + seconds;
}

function invalid(reason: string): ParsedDuration {
  return { kind: 'invalid', reason };
}

/** Nanoseconds of `0.<digits>` units. In floating point, because that is how Go rounds. */
function fractionOf(digits: string, unitNs: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits.slice(0, 19)) {
    if (value > (MAX_NS - 1n) / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > MAX_NS) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unitNs) / scale)));
}

function decimal(ns: bigint, unitNs: bigint): string {
  const fraction = (ns % unitNs)
    .toString()
    .padStart(unitNs.toString().length - 1, '0')
    .replace(/0+$/, '');
  return fraction === '' ? `${ns / unitNs}` : `${ns / unitNs}.${fraction}`;
}
