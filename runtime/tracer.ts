// Tracing without a tracing library: spans that do nothing by default, and W3C trace context that is passed on.

export type Span = {
  /** `traceparent` for requests made inside the span; absent when nothing is traced. */
  readonly traceparent?: string;
  end(outcome: 'ok' | 'error'): void;
};

export type Tracer = {
  /** Starts a span. `traceparent` is the caller's context, when it sent one. */
  start(name: string, traceparent?: string): Span;
};

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The header if it is a valid version 00 trace context, else undefined: what is malformed is not passed on. */
export function parseTraceparent(header: string | undefined): string | undefined {
  return header !== undefined && TRACEPARENT.test(header) ? header : undefined;
}

/** Records nothing, but hands a caller's valid trace context on to what is called next. */
export const noopTracer: Tracer = {
  start(_name, traceparent) {
    const context = parseTraceparent(traceparent);
    return { ...(context === undefined ? {} : { traceparent: context }), end: () => undefined };
  },
};
