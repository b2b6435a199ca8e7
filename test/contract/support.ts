// Short ways to write a contract in a test and to name what is wrong with it.
import assert from 'node:assert/strict';
import { type BundleFiles, bundleFiles } from '../../contract/bundle-files.ts';
import type { StaticIssue } from '../../contract/issue.ts';
import { checkStructure } from '../../contract/l1.ts';
import { type LoadedContract, type LoadError, parseContract } from '../../contract/parse.ts';
import { readYaml } from '../../contract/read-yaml.ts';
import { checkCrossFields, type ValidationResult, validateContract } from '../../contract/validate.ts';

/** The smallest valid contract. */
export const BASE = 'pactoVersion: "2.0"\nservice: { name: svc, version: 1.0.0 }\n';
/** A claim of readiness. */
export const CLAIM = '{ id: a, type: url, status: done, evidence: x, weight: 1 }';

export function load(text: string): LoadedContract {
  const result = parseContract(text);
  assert.ok(result.kind === 'loaded', result.kind === 'failed' ? result.error.message : '');
  return result.loaded;
}

export function loadError(text: string | Uint8Array): LoadError {
  const result = parseContract(text);
  assert.ok(result.kind === 'failed', 'the text was loaded');
  return result.error;
}

export function files(contents: Readonly<Record<string, string>>): BundleFiles {
  return bundleFiles(new Map(Object.entries(contents).map(([path, text]) => [path, Buffer.from(text)])));
}

/** The whole pipeline: Parse, then validation. */
export function pipe(text: string, contents?: Readonly<Record<string, string>>): ValidationResult {
  return validateContract(load(text), contents === undefined ? undefined : files(contents));
}

/** L1 over bytes, without Parse. */
export function structure(text: string): readonly StaticIssue[] {
  return checkStructure(readYaml(text));
}

/** L2 alone, over the typed reading. */
export function crossFields(
  text: string,
  contents?: Readonly<Record<string, string>>,
): readonly StaticIssue[] {
  const { contract, source } = load(text);
  return checkCrossFields(contract, { source, files: contents === undefined ? undefined : files(contents) });
}

/** `CODE path` of each issue. */
export function named(issues: readonly StaticIssue[]): readonly string[] {
  return issues.map(({ code, path }) => (path === '' ? code : `${code} ${path}`));
}

/** `CODE path` of errors, then of warnings. */
export function allNamed({ errors, warnings }: ValidationResult): readonly string[] {
  return [...named(errors), ...named(warnings)];
}
