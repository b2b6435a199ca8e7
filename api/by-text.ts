// The one order of texts that is the same everywhere: by UTF-16 units, whatever the language of the machine.

/** Compares for a sort: negative when `a` comes first, 0 when they are equal. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
