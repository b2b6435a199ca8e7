// Text to tree: the YAML rules common to both readings of a contract (contract.md 2.2). Bad input is data, never a throw.
import {
  type Alias,
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
} from 'yaml';
import { AliasBudget } from './alias-budget.ts';
import { controlCharacterAt, decodeText, LineIndex, type LinePosition } from './text.ts';
import type { ListNode, MapEntry, MapNode, ScalarNode, TreeNode } from './tree.ts';
import type { YamlProblem } from './yaml-problem.ts';

/** The first document of a text, or why there is none. */
export type YamlSource = {
  readonly text: string;
  readonly lines: LineIndex;
  /** Absent for a text without any document, and when there are problems. */
  readonly root?: TreeNode;
  readonly problems: readonly YamlProblem[];
};

/** Levels of nesting that are read. A contract needs five; its free-form parts have the rest. */
export const MAX_DEPTH = 256;

/** Tokens of a document that are read. One token costs half a kilobyte until the tree stands; this bounds the memory. */
export const MAX_TOKENS = 150_000;
/** The problem of a document with more tokens. */
export const TOO_COMPLEX = `the document has more than ${MAX_TOKENS} tokens`;
/** No text below this length has so many. */
const MAY_BE_COMPLEX = MAX_TOKENS / 2;

const OPTIONS = {
  version: '1.2',
  schema: 'failsafe',
  merge: false,
  // Our own check is linear; the library's compares every pair of keys.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;
const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`;

/** Reads the first document of `input`. Later documents are not looked at, even malformed ones. */
export function readYaml(input: string | Uint8Array): YamlSource {
  const decoded = typeof input === 'string' ? ({ kind: 'text', text: input } as const) : decodeText(input);
  if (decoded.kind === 'undecodable') return failed('', { message: decoded.reason, offset: 0 });
  const text = decoded.text.startsWith('\uFEFF') ? decoded.text.slice(1) : decoded.text;
  const control = controlCharacterAt(text);
  if (control !== -1) return failed(text, { message: 'control characters are not allowed', offset: control });
  if (isTooComplex(text)) return failed(text, { message: TOO_COMPLEX, offset: 0 });
  const document = firstDocument(text);
  if (document.kind === 'problem') return failed(text, document.problem);
  const lines = new LineIndex(text);
  if (document.value === undefined || !hasContent(document.value)) return { text, lines, problems: [] };
  const [error] = document.value.errors;
  if (error !== undefined) {
    const message = error.code === 'RESOURCE_EXHAUSTION' ? TOO_DEEP : error.message;
    return failed(text, { message, offset: error.pos[0] });
  }
  return build(document.value, text, lines);
}

/** Line and column of a problem. */
export function positionOf(source: YamlSource, problem: { readonly offset: number }): LinePosition {
  return source.lines.at(Math.min(problem.offset, source.text.length));
}

/** Counts tokens without keeping any. */
function isTooComplex(text: string): boolean {
  if (text.length < MAY_BE_COMPLEX) return false;
  let tokens = 0;
  for (const _token of new Lexer().lex(text)) if (++tokens > MAX_TOKENS) return true;
  return false;
}

type FirstDocument =
  | { readonly kind: 'document'; readonly value: Document.Parsed | undefined }
  | { readonly kind: 'problem'; readonly problem: YamlProblem };

function firstDocument(text: string): FirstDocument {
  try {
    for (const document of new Composer(OPTIONS).compose(new Parser().parse(text))) {
      return { kind: 'document', value: document };
    }
    return { kind: 'document', value: undefined };
  } catch (error) {
    // The composer is recursive; only the depth of the document can exhaust the stack.
    if (error instanceof RangeError) return { kind: 'problem', problem: { message: TOO_DEEP, offset: 0 } };
    throw error;
  }
}

/** An explicit `---` makes a document even when nothing follows. */
function hasContent(document: Document.Parsed): boolean {
  return document.contents !== null || document.directives.docStart === true || document.errors.length > 0;
}

function build(document: Document.Parsed, text: string, lines: LineIndex): YamlSource {
  const builder = new TreeBuilder();
  const root = builder.node(document.contents, 0, 0);
  const problems = builder.problems.toSorted((a, b) => a.offset - b.offset);
  return problems.length > 0 ? { text, lines, problems } : { text, lines, root, problems };
}

function failed(text: string, problem: YamlProblem): YamlSource {
  return { text, lines: new LineIndex(text), problems: [problem] };
}

class TreeBuilder {
  readonly problems: YamlProblem[] = [];
  readonly #anchors = new Map<string, Node>();
  readonly #done = new Map<Node, TreeNode>();
  readonly #open = new Set<Node>();
  readonly #budget = new AliasBudget();

  node(node: Node | null, depth: number, fallbackOffset: number): TreeNode {
    if (node === null) return nullAt(fallbackOffset);
    const offset = node.range?.[0] ?? fallbackOffset;
    if (depth > MAX_DEPTH) return this.#problem(TOO_DEEP, offset);
    if (isAlias(node)) return this.#alias(node, offset);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    const steps = this.#budget.begin();
    this.#open.add(node);
    const built = this.#build(node, depth, offset);
    this.#open.delete(node);
    if (node.anchor !== undefined) {
      this.#done.set(node, built);
      this.#budget.remember(node, steps);
    }
    return built;
  }

  #build(node: Node, depth: number, offset: number): TreeNode {
    if (isScalar(node)) return scalarOf(node, offset);
    if (isSeq<Node | null>(node)) return this.#list(node.items, depth, offset);
    if (isMap<Node | null, Node | null>(node)) return this.#map(node.items, depth, offset);
    return this.#problem('not a value', offset);
  }

  #alias(alias: Alias, offset: number): TreeNode {
    const target = this.#anchors.get(alias.source);
    if (target === undefined) return this.#problem(`unknown anchor ${alias.source}`, offset);
    if (this.#open.has(target)) return this.#problem(`anchor ${alias.source} contains itself`, offset);
    if (!this.#budget.follow(target)) return this.#problem('excessive aliasing', offset);
    return this.#done.get(target) ?? this.#problem(`unknown anchor ${alias.source}`, offset);
  }

  #list(items: readonly (Node | null)[], depth: number, offset: number): ListNode {
    return { kind: 'list', items: items.map((item) => this.node(item, depth + 1, offset)), offset };
  }

  #map(pairs: readonly Pair<Node | null, Node | null>[], depth: number, offset: number): MapNode {
    const entries: MapEntry[] = [];
    const seen = new Set<string>();
    const merges: TreeNode[] = [];
    for (const { key: keyNode, value: valueNode } of pairs) {
      const key = this.node(keyNode, depth + 1, offset);
      const value = this.node(valueNode, depth + 1, key.offset);
      if (key.kind !== 'scalar') {
        this.#problem('a map key must be a scalar', key.offset);
        continue;
      }
      if (seen.has(key.text)) this.#problem(`key ${JSON.stringify(key.text)} is already defined`, key.offset);
      seen.add(key.text);
      if (key.plain && key.text === '<<') merges.push(value);
      else entries.push({ key, value });
    }
    for (const merge of merges) this.#merge(merge, entries);
    return { kind: 'map', entries, offset };
  }

  /** Earlier entries win: written ones over merged ones, and the first of several merged maps over the next. */
  #merge(source: TreeNode, entries: MapEntry[]): void {
    const maps = source.kind === 'list' ? source.items : [source];
    const present = new Set(entries.map(({ key }) => key.text));
    for (const map of maps) {
      if (map.kind !== 'map') {
        this.#problem('map merge requires a map or a list of maps as the value', map.offset);
        continue;
      }
      for (const entry of map.entries) {
        if (present.has(entry.key.text)) continue;
        present.add(entry.key.text);
        entries.push(entry);
      }
    }
  }

  #problem(message: string, offset: number): ScalarNode {
    this.problems.push({ message, offset });
    return nullAt(offset);
  }
}

function nullAt(offset: number): ScalarNode {
  return { kind: 'scalar', text: '', plain: true, offset };
}

function scalarOf(
  node: { readonly source?: string; readonly type?: string; readonly tag?: string },
  offset: number,
): ScalarNode {
  const text = node.source ?? '';
  // `!` alone means "as written": a string.
  const tag = node.tag === '!' ? 'tag:yaml.org,2002:str' : node.tag;
  if (tag !== undefined) return { kind: 'scalar', text, plain: false, tag, offset };
  return { kind: 'scalar', text, plain: node.type === 'PLAIN', offset };
}
