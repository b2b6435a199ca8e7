// Loading a contract document: both readings of one text, or one error that says what is wrong and where.
import { type GenericReading, readGeneric } from './generic-reading.ts';
import type { Contract } from './model.ts';
import { positionOf, readYaml, type YamlSource } from './read-yaml.ts';
import { nodeAt, type Path } from './tree.ts';
import { readTyped } from './typed-reading.ts';

/** Largest contract document in bytes; the same as the limit of one file in a bundle. */
export const MAX_CONTRACT_BYTES = 10 * 1024 * 1024;

/** A document that Parse accepts. It is not validated yet. */
export type LoadedContract = {
  readonly contract: Contract;
  readonly document: GenericReading;
  readonly source: YamlSource;
};

/** Why there is no contract. A load error has no code: it is no finding (contract.md 2.4). */
export type LoadError = {
  readonly message: string;
  /** Dotted path of the offending field; empty when the text itself is at fault. */
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
};

export type LoadResult =
  | { readonly kind: 'loaded'; readonly loaded: LoadedContract }
  | { readonly kind: 'failed'; readonly error: LoadError };

const MAX_PROBLEMS_SHOWN = 20;

export const SUPPORTED_PACTO_VERSIONS: readonly string[] = ['2.0'];

/** Parses the bytes or text of a `pacto.yaml`. Never throws, whatever the input. */
export function parseContract(input: string | Uint8Array): LoadResult {
  if (input.length > MAX_CONTRACT_BYTES) {
    return failed({ message: `failed to parse YAML: larger than ${MAX_CONTRACT_BYTES} bytes`, path: '' });
  }
  return parseSource(readYaml(input));
}

/** Parses contract text written into a resource; the message says that it was inline. */
export function loadInline(text: string): LoadResult {
  const result = parseContract(text);
  if (result.kind === 'loaded') return result;
  return failed({ ...result.error, message: `failed to parse inline contract: ${result.error.message}` });
}

/** The typed reading of a text that is already read, with the checks every contract must pass to be one. */
export function parseSource(source: YamlSource): LoadResult {
  const [syntax] = source.problems;
  if (syntax !== undefined) {
    const { line, column } = positionOf(source, syntax);
    return failed({
      message: `failed to parse YAML: line ${line}: ${syntax.message}`,
      path: '',
      line,
      column,
    });
  }
  if (source.root === undefined)
    return failed({ message: 'failed to parse YAML: the document is empty', path: '' });
  const { contract, problems } = readTyped(source.root);
  const [first] = problems;
  if (first !== undefined) {
    const texts = problems.slice(0, MAX_PROBLEMS_SHOWN).map((problem) => {
      const place = problem.path.length === 0 ? '' : `${dotted(problem.path)}: `;
      return `line ${positionOf(source, problem).line}: ${place}${problem.message}`;
    });
    if (problems.length > texts.length) texts.push(`and ${problems.length - texts.length} more`);
    const { line, column } = positionOf(source, first);
    return failed({
      message: `failed to parse YAML: ${texts.join('; ')}`,
      path: dotted(first.path),
      line,
      column,
    });
  }
  const missing = missingField(contract);
  if (missing !== undefined) {
    return failed({ ...missing, ...positionOf(source, nodeAt(source.root, missing.path.split('.'))) });
  }
  return { kind: 'loaded', loaded: { contract, document: readGeneric(source.root), source } };
}

function missingField({ pactoVersion, service }: Contract): LoadError | undefined {
  if (pactoVersion === '') return { message: 'pactoVersion is required', path: 'pactoVersion' };
  if (!SUPPORTED_PACTO_VERSIONS.includes(pactoVersion)) {
    const message = `unsupported pactoVersion ${JSON.stringify(pactoVersion)}: only "2.0" is supported`;
    return { message, path: 'pactoVersion' };
  }
  if (service.name === '') return { message: 'service.name is required', path: 'service.name' };
  if (service.version === '') return { message: 'service.version is required', path: 'service.version' };
  return undefined;
}

function dotted(path: Path): string {
  return path.join('.');
}

function failed(error: LoadError): LoadResult {
  return { kind: 'failed', error };
}
