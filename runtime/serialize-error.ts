// Errors as log data: type, message, code, stack and the chain of causes, and nothing else an error object may carry.

/** Causes deeper than this are cut; a cycle ends here as well. */
const MAX_CAUSES = 8;

/** Own properties of errors that are safe and useful; request, response, headers or bodies are never among them. */
const SAFE_PROPERTIES = ['code', 'status', 'reason', 'syscall', 'address', 'port', 'path'] as const;

export type SerializedError = {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: SerializedError;
  readonly [property: string]: unknown;
};

/** Turns anything that was thrown into plain data. `depth` counts the causes above; callers leave it out. */
export function serializeError(thrown: unknown, depth = 0): SerializedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: describe(thrown) };
  const properties: Record<string, unknown> = {};
  for (const name of SAFE_PROPERTIES) {
    const value: unknown = Reflect.get(thrown, name);
    if (typeof value === 'string' || typeof value === 'number') properties[name] = value;
  }
  const { cause } = thrown;
  return {
    type: thrown.name,
    message: thrown.message,
    ...properties,
    ...(thrown.stack === undefined ? {} : { stack: thrown.stack }),
    ...(cause === undefined || depth >= MAX_CAUSES ? {} : { cause: serializeError(cause, depth + 1) }),
  };
}

function describe(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null) return 'an object that is not an Error was thrown';
  return String(thrown);
}
