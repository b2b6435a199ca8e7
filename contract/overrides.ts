// Overrides of a resource: values that win over those of the contract, in both readings of its document (contract.md 6.3).
import { byText } from '../api/by-text.ts';
import { readGeneric } from './generic-reading.ts';
import type { LoadedContract } from './parse.ts';
import type { YamlSource } from './read-yaml.ts';
import { resolvePlain } from './resolve-scalar.ts';
import {
  entryOf,
  type ListNode,
  type MapEntry,
  type MapNode,
  type ScalarNode,
  type TreeNode,
} from './tree.ts';
import { readTyped } from './typed-reading.ts';

/** One scope of `spec.overrides.configurations`. Values are text and stay text, numeric looks or not. */
export type ConfigurationOverride = {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
};

export type OverrideResult =
  | {
      readonly kind: 'applied';
      readonly loaded: LoadedContract;
      /** Sorted keys by configuration name. */
      readonly overriddenKeys: ReadonlyMap<string, readonly string[]>;
    }
  | { readonly kind: 'failed'; readonly message: string };

type Patched<T> =
  | { readonly kind: 'patched'; readonly node: T }
  | { readonly kind: 'failed'; readonly message: string };

/** Applies all overrides or none. The contract handed in is not changed; without overrides it is handed back. */
export function applyOverrides(
  loaded: LoadedContract,
  overrides: readonly ConfigurationOverride[],
): OverrideResult {
  if (overrides.length === 0) return { kind: 'applied', loaded, overriddenKeys: new Map() };
  const declared = new Set(loaded.contract.configurations.map(({ name }) => name));
  const unknown = overrides.find(({ name }) => !declared.has(name));
  if (unknown !== undefined)
    return failed(`configuration ${JSON.stringify(unknown.name)} not found in contract`);
  const patched = overrideSource(loaded.source, overrides);
  if (patched.kind === 'failed') return patched;
  const source = { ...loaded.source, root: patched.node };
  const { contract, problems } = readTyped(patched.node);
  const [problem] = problems;
  // Text in place of values cannot break the typed reading; should it, nothing is applied.
  if (problem !== undefined) return failed(`re-reading the contract document: ${problem.message}`);
  return {
    kind: 'applied',
    loaded: { contract, document: readGeneric(patched.node), source },
    overriddenKeys: keysByName(overrides),
  };
}

/** The document with the overridden values in place; everything else keeps its nodes, empty ones included. */
export function overrideSource(
  source: YamlSource,
  overrides: readonly ConfigurationOverride[],
): Patched<TreeNode> {
  const [problem] = source.problems;
  if (problem !== undefined) return failed(`re-reading the contract document: ${problem.message}`);
  if (source.root === undefined) return failed('contract document is empty');
  const configurations = entryOf(source.root, 'configurations')?.value;
  if (source.root.kind !== 'map' || configurations?.kind !== 'list') {
    return failed('contract declares no configurations to override');
  }
  let list: ListNode = configurations;
  for (const override of overrides) {
    const patched = overrideList(list, override);
    if (patched.kind === 'failed') return patched;
    list = patched.node;
  }
  return { kind: 'patched', node: withEntry(source.root, 'configurations', list) };
}

function overrideList(list: ListNode, { name, values }: ConfigurationOverride): Patched<ListNode> {
  const index = list.items.findIndex((item) => nameOf(item) === name);
  const item = list.items[index];
  if (item?.kind !== 'map') {
    return failed(`configuration ${JSON.stringify(name)} not found in the contract document`);
  }
  const declared = entryOf(item, 'values')?.value;
  if (declared !== undefined && declared.kind !== 'map' && !isNull(declared)) {
    return failed(`configuration ${JSON.stringify(name)} declares a non-mapping values block`);
  }
  const before: MapNode =
    declared?.kind === 'map' ? declared : { kind: 'map', entries: [], offset: item.offset };
  const after = withValues(before, values);
  return {
    kind: 'patched',
    node: { ...list, items: list.items.with(index, withEntry(item, 'values', after)) },
  };
}

/** Existing keys keep their place; new ones follow, sorted. */
function withValues(map: MapNode, values: Readonly<Record<string, string>>): MapNode {
  const known = new Set(map.entries.map(({ key }) => key.text));
  const replaced = map.entries.map((entry): MapEntry => {
    const value = Object.hasOwn(values, entry.key.text) ? values[entry.key.text] : undefined;
    return value === undefined ? entry : { key: entry.key, value: textNode(value, entry.value.offset) };
  });
  const added = sorted(Object.keys(values).filter((key) => !known.has(key))).map((key) => ({
    key: textNode(key, map.offset),
    value: textNode(values[key] ?? '', map.offset),
  }));
  return { ...map, entries: [...replaced, ...added] };
}

function withEntry(map: MapNode, name: string, value: TreeNode): MapNode {
  const index = map.entries.findIndex(({ key }) => key.text === name);
  const entry = { key: map.entries[index]?.key ?? textNode(name, map.offset), value };
  return { ...map, entries: index === -1 ? [...map.entries, entry] : map.entries.with(index, entry) };
}

function nameOf(item: TreeNode): string | undefined {
  const name = entryOf(item, 'name')?.value;
  return name?.kind === 'scalar' ? name.text : undefined;
}

function isNull(node: TreeNode): boolean {
  return node.kind === 'scalar' && node.plain && resolvePlain(node.text).kind === 'null';
}

/** Not plain, so that it is text whatever it looks like. */
function textNode(text: string, offset: number): ScalarNode {
  return { kind: 'scalar', text, plain: false, offset };
}

function keysByName(overrides: readonly ConfigurationOverride[]): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, readonly string[]>();
  for (const { name, values } of overrides) {
    keys.set(name, sorted([...new Set([...(keys.get(name) ?? []), ...Object.keys(values)])]));
  }
  return keys;
}

function sorted(texts: readonly string[]): readonly string[] {
  return texts.toSorted(byText);
}

function failed(message: string): { readonly kind: 'failed'; readonly message: string } {
  return { kind: 'failed', message };
}
