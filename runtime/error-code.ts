// The code of a system error (`ENOENT`, `EADDRINUSE`), for messages to people.

/** `error.code` when it is text; else `unknown error`. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'unknown error';
}
