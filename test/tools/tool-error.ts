// The one error of the build driver: a kind for programs, one sentence for people.

/** What stood in the way of a program. */
export type ToolErrorKind =
  /** Neither a usable Go nor the means to fetch one. */
  | 'go-missing'
  /** Go could not be fetched from PyPI. */
  | 'go-fetch-failed'
  /** A C compiler or library that a program is built with is not installed. */
  | 'system-packages-missing'
  /** Too little free space to begin, or a disk that ran full. */
  | 'disk-full'
  /** The cache folder cannot be written. */
  | 'cache-not-writable'
  /** The compiler refused, or a download failed. */
  | 'build-failed'
  /** The caller's signal ended the work. */
  | 'aborted';

/** A program could not be had. The message is complete: what is wrong, where, and what to do. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly kind: ToolErrorKind;

  constructor(kind: ToolErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
