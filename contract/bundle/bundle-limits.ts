// How large a bundle may be. Exactly the limit is allowed.

export const BUNDLE_LIMITS = {
  /** Entries of the archive, folders included. */
  entries: 10_000,
  /** Bytes of one file. */
  fileBytes: 10 * 1024 * 1024,
  /** Bytes of all files together. */
  totalBytes: 50 * 1024 * 1024,
  /** Bytes of the layer as it is stored; files that do not compress, with their headers, stay below. */
  layerBytes: 64 * 1024 * 1024,
  /** Bytes of the archive once unpacked, headers and padding included. Ends archives that are mostly headers. */
  archiveBytes: 96 * 1024 * 1024,
  /** Bytes of a manifest, as registries limit them. */
  manifestBytes: 4 * 1024 * 1024,
} as const;

/** The file every bundle has. */
export const CONTRACT_FILE = 'pacto.yaml';
