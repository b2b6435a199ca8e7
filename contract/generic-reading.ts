// The generic reading: a tree as JSON, for the schema of the language and for policies (contract.md 2.1).
import type { Json } from './json.ts';
import { resolvePlain, type ScalarValue } from './resolve-scalar.ts';
import type { ScalarNode, TreeNode } from './tree.ts';
import type { YamlProblem } from './yaml-problem.ts';

export type GenericReading =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'unreadable'; readonly problem: YamlProblem };

const YAML_TAG = 'tag:yaml.org,2002:';
/** Tags that ask for a kind; scalars under any other tag are taken as their text. */
const TAGGED_KINDS: ReadonlyMap<string, readonly ScalarValue['kind'][]> = new Map([
  [`${YAML_TAG}int`, ['integer']],
  [`${YAML_TAG}float`, ['integer', 'float']],
  [`${YAML_TAG}bool`, ['boolean']],
  [`${YAML_TAG}null`, ['null']],
]);

/** JSON of `root`; a number JSON cannot hold, or a tag its text does not fit, makes it unreadable. */
export function readGeneric(root: TreeNode | undefined): GenericReading {
  if (root === undefined) return { kind: 'value', value: null };
  const reader = new GenericReader();
  const value = reader.value(root);
  return reader.problem === undefined
    ? { kind: 'value', value }
    : { kind: 'unreadable', problem: reader.problem };
}

class GenericReader {
  problem: YamlProblem | undefined;
  readonly #shared = new Map<TreeNode, Json>();

  value(node: TreeNode): Json {
    if (node.kind === 'scalar') return this.#scalar(node);
    // A node that aliases share is converted once; the document can name it any number of times.
    const known = this.#shared.get(node);
    if (known !== undefined) return known;
    const value =
      node.kind === 'list'
        ? node.items.map((item) => this.value(item))
        : // Built from entries, so that a key called __proto__ is a key.
          Object.fromEntries(node.entries.map((entry) => [this.#key(entry.key), this.value(entry.value)]));
    this.#shared.set(node, value);
    return value;
  }

  #scalar(node: ScalarNode): Json {
    if (node.tag === undefined) return node.plain ? this.#resolved(resolvePlain(node.text), node) : node.text;
    const wanted = TAGGED_KINDS.get(node.tag);
    if (wanted === undefined) return node.text;
    const resolved = resolvePlain(node.text);
    if (wanted.includes(resolved.kind)) return this.#resolved(resolved, node);
    this.#fail(`cannot read ${JSON.stringify(node.text)} as ${node.tag.slice(YAML_TAG.length)}`, node);
    return null;
  }

  #resolved(resolved: ScalarValue, node: ScalarNode): Json {
    switch (resolved.kind) {
      case 'null':
        return null;
      case 'string':
        return node.text;
      case 'boolean':
        return resolved.value;
      case 'integer':
      case 'float':
        if (!Number.isFinite(resolved.value)) this.#fail(`${node.text} is no JSON number`, node);
        return resolved.value;
      default:
        return resolved satisfies never;
    }
  }

  /** Keys that are no strings become their printed form. */
  #key(key: ScalarNode): string {
    const value = this.#scalar(key);
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : key.text;
  }

  #fail(message: string, node: ScalarNode): void {
    this.problem ??= { message, offset: node.offset };
  }
}
