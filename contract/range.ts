// Compatibility ranges (contract.md 8.2 to 8.4): `^2.0.0`, `>=1, <3`, `1.x || 2.1 - 2.4`. The rules are upstream's own;
// they differ from npm's in prereleases, commas and a few corners.
import { compareVersions, hasLeadingZero, parseVersion, type Version, versionNumber } from './version.ts';

type Operator = '=' | '!=' | '>' | '<' | '>=' | '<=' | '~' | '^';

type Term = {
  readonly operator: Operator;
  /** The partial version with missing parts and wildcards as 0. */
  readonly version: Version;
  /** The first part that is a wildcard or missing; `none` when all three are given. */
  readonly open: 'major' | 'minor' | 'patch' | 'none';
};

type Group = { readonly terms: readonly Term[]; readonly prereleases: boolean };

/** A parsed range. Groups are alternatives. */
export type VersionRange = { readonly groups: readonly Group[] };

/** Limits of the library upstream uses. */
const MAX_LENGTH = 512;
const MAX_GROUPS = 32;
// A bar is read as part of a number, though no number has one: what stands before `||` thus belongs to a hyphen range that
// follows without a space, and spoils it. Upstream's library reads it so.
const PART = '[0-9xX*|]+';
const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const PARTIAL = `v?(${PART})(?:\\.(${PART}))?(?:\\.(${PART}))?(?:-(${IDENTIFIERS}))?(?:\\+${IDENTIFIERS})?`;
const OPERATORS = '!=|>=|=>|<=|=<|~>|=|>|<|~|\\^';
const TERM = new RegExp(`(${OPERATORS})?\\s*${PARTIAL}`, 'y');
const HYPHEN = new RegExp(`\\s*(${PARTIAL})\\s+-\\s+(${PARTIAL})\\s*`, 'g');
const SEPARATOR = /\s*,\s*|\s+/y;

/** The range, or undefined when the text is none. The empty text is none. */
export function parseRange(text: string): VersionRange | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const groups: Group[] = [];
  const parts = text.replace(HYPHEN, hyphenRange).split('||');
  if (parts.length > MAX_GROUPS) return undefined;
  for (const part of parts) {
    const group = parseGroup(part.trim());
    if (group === undefined) return undefined;
    groups.push(group);
  }
  return { groups };
}

/** Whether the version lies in the range. */
export function satisfies(version: Version, range: VersionRange): boolean {
  return range.groups.some(
    ({ terms, prereleases }) =>
      (version.prerelease.length === 0 || prereleases) && terms.every((term) => holds(term, version)),
  );
}

/** Answers of {@link satisfiesText}, since evaluation asks the same few questions in every pass. */
const ANSWERS = new Map<string, boolean>();
const MAX_ANSWERS = 10_000;

/** Both as text; what does not parse satisfies nothing and contains nothing. */
export function satisfiesText(version: string, range: string): boolean {
  const question = `${version} ${range}`;
  const known = ANSWERS.get(question);
  if (known !== undefined) return known;
  const parsedVersion = parseVersion(version);
  const parsedRange = parseRange(range);
  const answer =
    parsedVersion !== undefined && parsedRange !== undefined && satisfies(parsedVersion, parsedRange);
  // No version has a space, so a question means one pair; texts that do not parse are refused quickly anyway.
  if (parsedVersion !== undefined && parsedRange !== undefined) {
    if (ANSWERS.size >= MAX_ANSWERS) ANSWERS.clear();
    ANSWERS.set(question, answer);
  }
  return answer;
}

function hyphenRange(_whole: string, ...groups: readonly string[]): string {
  return `>= ${groups[0] ?? ''}, <= ${groups[5] ?? ''} `;
}

function parseGroup(text: string): Group | undefined {
  const terms: Term[] = [];
  for (let at = 0; at < text.length || terms.length === 0; ) {
    TERM.lastIndex = at;
    const match = TERM.exec(text);
    const term = match === null ? undefined : termOf(match);
    if (term === undefined) return undefined;
    terms.push(term);
    at = TERM.lastIndex;
    if (at === text.length) break;
    SEPARATOR.lastIndex = at;
    if (!SEPARATOR.test(text) || SEPARATOR.lastIndex === text.length) return undefined;
    at = SEPARATOR.lastIndex;
  }
  return { terms, prereleases: terms.some(({ version }) => version.prerelease.length > 0) };
}

function termOf(match: RegExpExecArray): Term | undefined {
  const [, operator, major, minor, patch, prereleaseText] = match;
  const open = isOpen(major) ? 'major' : isOpen(minor) ? 'minor' : isOpen(patch) ? 'patch' : 'none';
  // Whatever follows a wildcard is not looked at.
  const numbers = [major, minor, patch].map((part, index) =>
    index < ['major', 'minor', 'patch', 'none'].indexOf(open) ? partNumber(part) : 0n,
  );
  const prerelease = prereleaseText === undefined ? [] : prereleaseText.split('.');
  const [majorNumber, minorNumber, patchNumber] = numbers;
  if (majorNumber === undefined || minorNumber === undefined || patchNumber === undefined) return undefined;
  if (prerelease.some(hasLeadingZero)) return undefined;
  const version = { major: majorNumber, minor: minorNumber, patch: patchNumber, prerelease };
  return { operator: canonical(operator), version, open };
}

function partNumber(part: string | undefined): bigint | undefined {
  return part !== undefined && /^[0-9]+$/.test(part) ? versionNumber(part) : undefined;
}

function isOpen(part: string | undefined): boolean {
  return part === undefined || part === 'x' || part === 'X' || part === '*';
}

function canonical(operator: string | undefined): Operator {
  switch (operator) {
    case '!=':
    case '>':
    case '<':
    case '~':
    case '^':
      return operator;
    case '>=':
    case '=>':
      return '>=';
    case '<=':
    case '=<':
      return '<=';
    case '~>':
      return '~';
    default:
      return '=';
  }
}

function holds(term: Term, version: Version): boolean {
  const order = compareVersions(version, term.version);
  switch (term.operator) {
    case '=':
      return term.open === 'none' ? order === 0 : tilde(term, version, order);
    case '!=':
      return notEqual(term, version, order);
    case '>':
      return greater(term, version, order);
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return lessOrEqual(term, version, order);
    case '~':
      return tilde(term, version, order);
    case '^':
      return caret(term, version, order);
    default:
      return term.operator satisfies never;
  }
}

function notEqual({ open, version: con }: Term, version: Version, order: number): boolean {
  if (open === 'none' || open === 'major') return order !== 0;
  if (version.major !== con.major) return true;
  if (open === 'minor') return false;
  if (version.minor !== con.minor) return true;
  const [a, b] = [version.prerelease, con.prerelease];
  return (a.length > 0 || b.length > 0) && a.join('.') !== b.join('.');
}

function greater({ open, version: con }: Term, version: Version, order: number): boolean {
  if (open === 'minor') return version.major > con.major;
  if (open === 'patch') {
    return version.major > con.major || (version.major === con.major && version.minor > con.minor);
  }
  return order > 0;
}

function lessOrEqual({ open, version: con }: Term, version: Version, order: number): boolean {
  if (open === 'none') return order <= 0;
  if (version.major > con.major) return false;
  return version.major < con.major || open === 'minor' || version.minor <= con.minor;
}

function tilde({ open, version: con }: Term, version: Version, order: number): boolean {
  if (order < 0) return false;
  const zero = con.major === 0n && con.minor === 0n && con.patch === 0n;
  if (zero && open !== 'minor' && open !== 'patch') return true;
  return version.major === con.major && (open === 'minor' || version.minor === con.minor);
}

function caret({ open, version: con }: Term, version: Version, order: number): boolean {
  if (order < 0) return false;
  if (con.major > 0n || open === 'minor') return version.major === con.major;
  if (version.major !== 0n) return false;
  if (con.minor > 0n || open === 'patch') return version.minor === con.minor;
  return version.minor === 0n && version.patch === con.patch;
}
