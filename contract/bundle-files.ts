// The files of a bundle as static validation sees them: read-only, in memory, by clean relative path.

export type BundleFile =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  /** No such file, a directory, or a path that is not clean. */
  | { readonly kind: 'missing' }
  /** It is there but cannot be opened. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Implementations answer from memory and never throw. */
export type BundleFiles = { read(path: string): BundleFile };

/** Relative, without empty, `.` or `..` components (contract.md 3.5). Anything else names no file. */
export function isCleanPath(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Bundle files over a map from path to content. */
export function bundleFiles(files: ReadonlyMap<string, Uint8Array>): BundleFiles {
  return {
    read(path) {
      const bytes = isCleanPath(path) ? files.get(path) : undefined;
      return bytes === undefined ? { kind: 'missing' } : { kind: 'file', bytes };
    },
  };
}
