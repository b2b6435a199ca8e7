// One static finding: what is wrong in a contract, with its place in the document.
import { FINDING_CODES, type StaticCode } from '../api/finding-codes.ts';
import { positionOf, type YamlSource } from './read-yaml.ts';
import { nodeAt, type Path } from './tree.ts';

export type StaticIssue = {
  readonly code: StaticCode;
  /** `interfaces.0.type` from the schema check, `interfaces[0].type` from the others; empty for the whole document. */
  readonly path: string;
  readonly message: string;
  /** From 1; absent when the document has no such place. */
  readonly line?: number;
  readonly column?: number;
};

/** Collects issues of one document; each check is handed one. `at` is where the fault is shown. Default: `path`. */
export type Report = (code: StaticCode, path: Path, message: string, at?: Path) => void;

/** Whether an issue makes the contract invalid. */
export function isError(issue: StaticIssue): boolean {
  return FINDING_CODES.get(issue.code)?.severities[0] !== 'warning';
}

/** An issue at the node of `path`, or at its nearest ancestor that is written. */
export function issueAt(
  source: YamlSource | undefined,
  code: StaticCode,
  path: Path,
  text: string,
  message: string,
): StaticIssue {
  if (source?.root === undefined) return { code, path: text, message };
  return { code, path: text, message, ...positionOf(source, nodeAt(source.root, path)) };
}

/** `interfaces[0].type`: how the cross-field checks name a place. */
export function bracketed(path: Path): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`;
  return text;
}
