// Unquoted words that kubectl, and with it most tools around Kubernetes, reads as something else than we do. They are no
// findings, since the contract is valid; whoever wrote them should know (quotes settle it).
import type { LineIndex } from './text.ts';
import type { YamlSource } from './read-yaml.ts';
import { resolvePlain } from './resolve-scalar.ts';
import type { Path, ScalarNode, TreeNode } from './tree.ts';

export type ScalarNote = {
  /** Dotted path of the value; for a key, of its map. */
  readonly path: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
};

const MAX_NOTES = 100;
const TRUE = /^(?:yes|Yes|YES|on|On|ON|y|Y)$/;
const FALSE = /^(?:no|No|NO|off|Off|OFF|n|N)$/;

/** Notes in document order, at most a hundred. */
export function scalarNotes({ root, lines }: Pick<YamlSource, 'root' | 'lines'>): readonly ScalarNote[] {
  if (root === undefined) return [];
  const walk = new NoteWalk(lines);
  walk.visit(root, []);
  return walk.notes.sort((a, b) => a.line - b.line || a.column - b.column);
}

class NoteWalk {
  readonly notes: ScalarNote[] = [];
  readonly #lines: LineIndex;
  readonly #seen = new Set<TreeNode>();

  constructor(lines: LineIndex) {
    this.#lines = lines;
  }

  visit(node: TreeNode, path: Path): void {
    // What aliases share is written once and noted once.
    if (this.notes.length >= MAX_NOTES || this.#seen.has(node)) return;
    this.#seen.add(node);
    switch (node.kind) {
      case 'scalar':
        this.#note(node, path);
        return;
      case 'list':
        for (const [index, item] of node.items.entries()) this.visit(item, [...path, index]);
        return;
      case 'map':
        for (const { key, value } of node.entries) {
          this.#note(key, path);
          this.visit(value, [...path, key.text]);
        }
        return;
      default:
        node satisfies never;
    }
  }

  #note(node: ScalarNode, path: Path): void {
    const other = otherReading(node);
    if (other === undefined) return;
    const message = `kubectl reads ${node.text} as ${other}; quote it to have the same everywhere`;
    this.notes.push({ path: path.join('.'), message, ...this.#lines.at(node.offset) });
  }
}

/** What kubectl makes of a scalar, where that is not what the generic reading makes of it. */
function otherReading({ plain, text }: ScalarNode): string | undefined {
  if (!plain) return undefined;
  if (TRUE.test(text)) return 'the boolean true, this as text';
  if (FALSE.test(text)) return 'the boolean false, this as text';
  const value = resolvePlain(text);
  // Beyond 64 bits kubectl rounds, too.
  if (value.kind === 'integer' && !Number.isSafeInteger(value.value) && Math.abs(value.value) <= 2 ** 63) {
    return `an exact number, this as ${value.value}`;
  }
  return undefined;
}
