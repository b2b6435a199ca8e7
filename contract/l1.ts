// L1, the structural check: the generic reading of a document against the published schema of the language.
import type { ErrorObject } from 'ajv';
import { readGeneric, type GenericReading } from './generic-reading.ts';
import { issueAt, type StaticIssue } from './issue.ts';
import { isJsonObject, type Json, quote } from './json.ts';
import { SUPPORTED_PACTO_VERSIONS } from './parse.ts';
import { positionOf, type YamlSource } from './read-yaml.ts';
import { validatePacto } from './pacto-validator.ts';
import schema from './schema/pacto-2.0.schema.json' with { type: 'json' };
import { schemaLeaves, type SchemaLeaf } from './schema-leaves.ts';
import { nodeAt, type Path, type TreeNode } from './tree.ts';

/** The published JSON Schema of the language, for editors and for documentation. */
export const PACTO_SCHEMA: object = schema;

/** What checks a document: the leaves of its failures, none when it is valid. */
export type StructureValidator = (document: Json) => readonly SchemaLeaf[];

/** The published schema as code. */
const validate: { (document: Json): boolean; errors?: readonly ErrorObject[] | null } = validatePacto;

/**
 * Checks the structure of a document. Anything but language version "2.0" gives one error and no others; leaves come in
 * document order.
 * @param reading the generic reading of `source`, when the caller already has it
 * @param validator default: the published schema
 */
export function checkStructure(
  source: YamlSource,
  reading: GenericReading = readingOf(source),
  validator: StructureValidator = leavesOf,
): readonly StaticIssue[] {
  if (reading.kind === 'unreadable') {
    const { message } = reading.problem;
    return [{ code: 'YAML_PARSE_ERROR', path: '', message, ...positionOf(source, reading.problem) }];
  }
  const found = isJsonObject(reading.value) ? reading.value['pactoVersion'] : undefined;
  if (typeof found !== 'string' || !SUPPORTED_PACTO_VERSIONS.includes(found)) {
    const message = `pactoVersion ${quote(typeof found === 'string' ? found : '')} is not supported; supported: "2.0"`;
    return [issueAt(source, 'UNSUPPORTED_PACTO_VERSION', ['pactoVersion'], 'pactoVersion', message)];
  }
  try {
    return validator(reading.value)
      .map((leaf) => violation(source, leaf))
      .sort(byPosition);
  } catch (error) {
    // No document should get here; if one does, it is refused rather than believed.
    const cause = error instanceof Error ? error.message : String(error);
    return [{ code: 'SCHEMA_ERROR', path: '', message: `schema validation failed: ${cause}` }];
  }
}

function readingOf(source: YamlSource): GenericReading {
  const [problem] = source.problems;
  return problem === undefined ? readGeneric(source.root) : { kind: 'unreadable', problem };
}

function leavesOf(document: Json): readonly SchemaLeaf[] {
  return validate(document) ? [] : schemaLeaves(validate.errors ?? []);
}

function violation(source: YamlSource, leaf: SchemaLeaf): StaticIssue {
  const path = stepsOf(source.root, leaf.path);
  const message = `at '${leaf.pointer}': ${leaf.reason}`;
  const issue = issueAt(source, 'SCHEMA_VIOLATION', path, leaf.path.join('.'), message);
  const key = source.root === undefined ? undefined : unknownKey(nodeAt(source.root, path), leaf.unknown[0]);
  return key === undefined ? issue : { ...issue, ...positionOf(source, key) };
}

/** An unknown property is shown where it is written, not where its object begins. */
function unknownKey(node: TreeNode, name: string | undefined): { readonly offset: number } | undefined {
  return node.kind === 'map' ? node.entries.find(({ key }) => key.text === name)?.key : undefined;
}

/** Pointer steps are text; in a list they are indexes. */
function stepsOf(root: TreeNode | undefined, steps: readonly string[]): Path {
  const path: (string | number)[] = [];
  for (const step of steps) {
    const list = root !== undefined && nodeAt(root, path).kind === 'list';
    path.push(list ? Number(step) : step);
  }
  return path;
}

function byPosition(a: StaticIssue, b: StaticIssue): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
