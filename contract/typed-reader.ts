// Reads tree nodes into typed values by the coercions of contract.md 2.3, collecting every problem on the way.
import type { Json } from './json.ts';
import { readGeneric } from './generic-reading.ts';
import { resolvePlain } from './resolve-scalar.ts';
import type { ListNode, MapNode, Path, TreeNode } from './tree.ts';

export type TypedProblem = { readonly path: Path; readonly message: string; readonly offset: number };

/** A value that may be missing, with its place. */
export type Slot = { readonly node: TreeNode | undefined; readonly path: Path };

// Booleans of YAML 1.1 are booleans only where the language expects one.
const TRUE = /^(true|True|TRUE|yes|Yes|YES|on|On|ON|y|Y)$/;
const FALSE = /^(false|False|FALSE|no|No|NO|off|Off|OFF|n|N)$/;

/** One per document. Each method reads a slot as one kind of value; null and absent read as the zero value. */
export class TypedReader {
  readonly problems: TypedProblem[] = [];

  /** Any scalar, as its source text. Absent: undefined. */
  text({ node, path }: Slot): string | undefined {
    if (isAbsent(node)) return undefined;
    if (node.kind === 'scalar') return node.text;
    return this.#wrongKind(node, path, 'text');
  }

  /** true and false, and the words of YAML 1.1 when unquoted. Absent: false. */
  boolean({ node, path }: Slot): boolean {
    if (isAbsent(node)) return false;
    if (node.kind === 'scalar' && node.plain) {
      if (TRUE.test(node.text)) return true;
      if (FALSE.test(node.text)) return false;
    }
    this.#wrongKind(node, path, 'a boolean');
    return false;
  }

  /** Integers, and floats cut to integers. Absent: undefined. */
  integer(slot: Slot): number | undefined {
    const value = this.number(slot, 'an integer');
    return value === undefined ? undefined : Math.trunc(value);
  }

  number({ node, path }: Slot, wanted = 'a number'): number | undefined {
    if (isAbsent(node)) return undefined;
    const value = node.kind === 'scalar' && node.plain ? resolvePlain(node.text) : undefined;
    if ((value?.kind === 'integer' || value?.kind === 'float') && Number.isFinite(value.value))
      return value.value;
    return this.#wrongKind(node, path, wanted);
  }

  /** Items of a list; null items are dropped. Absent: no items. */
  list({ node, path }: Slot): readonly Slot[] {
    if (isAbsent(node)) return [];
    if (node.kind !== 'list') {
      this.#wrongKind(node, path, 'a list');
      return [];
    }
    return this.#items(node, path);
  }

  /** The slots of a closed object: unknown keys are problems. Absent: undefined. */
  object<Key extends string>(
    { node, path }: Slot,
    keys: readonly Key[],
  ): Readonly<Record<Key, Slot>> | undefined {
    if (isAbsent(node)) return undefined;
    if (node.kind !== 'map') return this.#wrongKind(node, path, 'an object');
    return this.#fields(node, path, keys);
  }

  /** A free-form object as JSON. Absent: undefined. */
  free({ node, path }: Slot): Readonly<Record<string, Json>> | undefined {
    if (isAbsent(node)) return undefined;
    if (node.kind !== 'map') return this.#wrongKind(node, path, 'an object');
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, leniently(value)]));
  }

  #items(node: ListNode, path: Path): readonly Slot[] {
    return node.items
      .map((item, index) => ({ node: item, path: [...path, index] }))
      .filter(({ node }) => !isAbsent(node));
  }

  #fields<Key extends string>(node: MapNode, path: Path, keys: readonly Key[]): Readonly<Record<Key, Slot>> {
    const slots: Partial<Record<Key, Slot>> = {};
    for (const key of keys) slots[key] = { node: undefined, path: [...path, key] };
    for (const { key, value } of node.entries) {
      if ((keys as readonly string[]).includes(key.text)) {
        slots[key.text as Key] = { node: value, path: [...path, key.text] };
      } else {
        this.problems.push({
          path,
          message: `unknown field ${JSON.stringify(key.text)}`,
          offset: key.offset,
        });
      }
    }
    return slots as Record<Key, Slot>;
  }

  #wrongKind(node: TreeNode, path: Path, wanted: string): undefined {
    const found =
      node.kind === 'scalar'
        ? JSON.stringify(node.text.slice(0, 60))
        : node.kind === 'list'
          ? 'a list'
          : 'an object';
    this.problems.push({ path, message: `must be ${wanted}, not ${found}`, offset: node.offset });
    return undefined;
  }
}

function isAbsent(node: TreeNode | undefined): node is undefined {
  return (
    node === undefined || (node.kind === 'scalar' && node.plain && resolvePlain(node.text).kind === 'null')
  );
}

/** Numbers JSON cannot hold stay out of the typed reading; the generic reading reports them. */
function leniently(node: TreeNode): Json {
  const reading = readGeneric(node);
  return reading.kind === 'value' ? reading.value : null;
}
