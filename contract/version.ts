// Lenient semantic versions as the contract language has them (contract.md 8.1): `1`, `v1.2` and `01.2.3` are versions.

export type Version = {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Dot-separated parts after `-`; empty for a release. */
  readonly prerelease: readonly string[];
};

const VERSION =
  /^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;
const MAX_PART = 2n ** 64n - 1n;
/** Limit of the library upstream uses. */
const MAX_LENGTH = 256;

/** The version, or undefined. Missing parts are 0; build metadata is dropped because it never counts. */
export function parseVersion(text: string): Version | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const match = VERSION.exec(text);
  if (match === null) return undefined;
  const major = versionNumber(match[1]);
  const minor = versionNumber(match[2]);
  const patch = versionNumber(match[3]);
  const prerelease = match[4] === undefined ? [] : match[4].split('.');
  if (major === undefined || minor === undefined || patch === undefined || prerelease.some(hasLeadingZero)) {
    return undefined;
  }
  return { major, minor, patch, prerelease };
}

/** A number of a version: absent reads as 0, more than 64 bits as undefined. */
export function versionNumber(digits: string | undefined): bigint | undefined {
  if (digits === undefined) return 0n;
  const significant = digits.replace(/^0+(?=[0-9])/, '');
  if (significant.length > 20) return undefined;
  const value = BigInt(significant);
  return value <= MAX_PART ? value : undefined;
}

/** Order by precedence: negative when `a` comes first, 0 when they are equal. */
export function compareVersions(a: Version, b: Version): number {
  return (
    order(a.major, b.major) ||
    order(a.minor, b.minor) ||
    order(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

/** Whether a prerelease part is a number with a leading zero, which no version may have. */
export function hasLeadingZero(part: string): boolean {
  return /^0[0-9]+$/.test(part);
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return order(b.length, a.length);
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = comparePart(a[index] ?? '', b[index] ?? '');
    if (difference !== 0) return difference;
  }
  return order(a.length, b.length);
}

/** Numbers come before text; numbers compare by value, text by bytes (all of it is ASCII). */
function comparePart(a: string, b: string): number {
  const aNumber = /^[0-9]+$/.test(a);
  const bNumber = /^[0-9]+$/.test(b);
  if (aNumber && bNumber) return order(a.length, b.length) || order(a, b);
  if (aNumber !== bNumber) return aNumber ? -1 : 1;
  return order(a, b);
}

function order<T extends bigint | number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
