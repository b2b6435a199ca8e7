// Patterns of an ignore file, with the syntax of .gitignore: the last one that matches decides.

export type IgnoreRules = {
  /** Whether a path is left out. Ask for a folder before asking for what is below it. */
  ignores(path: string, options: { readonly isFolder: boolean }): boolean;
};

type Rule = { readonly pattern: RegExp; readonly folderOnly: boolean; readonly ignores: boolean };

/** Rules of a text, one pattern a line: `#` comments, `!` takes back, a slash in front or within ties to the root. */
export function parseIgnore(text: string): IgnoreRules {
  const rules = text.split(/\r?\n/).flatMap(ruleOf);
  return {
    ignores(path, { isFolder }) {
      const last = rules.findLast(
        ({ pattern, folderOnly }) => (isFolder || !folderOnly) && pattern.test(path),
      );
      return last?.ignores ?? false;
    },
  };
}

function ruleOf(line: string): readonly Rule[] {
  const trimmed = line.replace(/(?<!\\)\s+$/, '');
  if (trimmed === '' || trimmed.startsWith('#')) return [];
  const ignores = !trimmed.startsWith('!');
  const written = ignores ? trimmed : trimmed.slice(1);
  const folderOnly = written.endsWith('/');
  const body = folderOnly ? written.slice(0, -1) : written;
  if (body === '') return [];
  const anchored = body.includes('/');
  const source = expressionOf(body.startsWith('/') ? body.slice(1) : body);
  return [{ pattern: new RegExp(`^${anchored ? '' : '(?:.*/)?'}${source}$`, 's'), folderOnly, ignores }];
}

const PIECES = /\*\*\/|\*+|\?|\[!?\]?[^\]]*\]|\\.|[^*?[\\]+|./gs;

function expressionOf(glob: string): string {
  // Everything below a folder, but not the folder itself.
  if (glob.endsWith('/**')) return `${expressionOf(glob.slice(0, -3))}/.*`;
  return (glob.match(PIECES) ?? []).map(pieceOf).join('');
}

function pieceOf(piece: string): string {
  if (piece === '**/') return '(?:.*/)?';
  if (/^\*+$/.test(piece)) return '[^/]*';
  if (piece === '?') return '[^/]';
  if (piece.startsWith('[') && piece.length > 2) {
    const inner = piece.slice(1, -1).replaceAll('\\', '\\\\').replace(/^!/, '^');
    return `(?!/)[${inner}]`;
  }
  const literal = piece.startsWith('\\') && piece.length > 1 ? piece.slice(1) : piece;
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
