// A document as a small tree with positions: aliases followed, merges applied. Both readings of a contract start here.

export type ScalarNode = {
  readonly kind: 'scalar';
  readonly text: string;
  /** Unquoted and without a tag: what it means depends on its text. */
  readonly plain: boolean;
  /** Full tag, for example `tag:yaml.org,2002:int`; absent when none is written. */
  readonly tag?: string;
  readonly offset: number;
};

export type ListNode = {
  readonly kind: 'list';
  readonly items: readonly TreeNode[];
  readonly offset: number;
};

export type MapEntry = { readonly key: ScalarNode; readonly value: TreeNode };

export type MapNode = {
  readonly kind: 'map';
  /** Written entries in document order, then those that came by merge keys. */
  readonly entries: readonly MapEntry[];
  readonly offset: number;
};

export type TreeNode = ScalarNode | ListNode | MapNode;

/** Steps from the root to a value: keys and list indexes. */
export type Path = readonly (string | number)[];

/** The value of `key`, or undefined. */
export function entryOf(node: TreeNode | undefined, key: string): MapEntry | undefined {
  return node?.kind === 'map' ? node.entries.find((entry) => entry.key.text === key) : undefined;
}

/** The node at `path`, or the deepest ancestor that exists. Indexes may be text, as in JSON pointers. */
export function nodeAt(root: TreeNode, path: Path): TreeNode {
  let node = root;
  for (const step of path) {
    const next: TreeNode | undefined =
      node.kind === 'list' ? node.items[Number(step)] : entryOf(node, String(step))?.value;
    if (next === undefined) return node;
    node = next;
  }
  return node;
}
