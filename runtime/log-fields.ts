// The catalogue of log fields: every key a log line may carry, with its type. Keys are public, they never change meaning.

/** Fields beside time, level and message. Keys are lower camel case; all are optional on any one line. */
export type LogFields = {
  /** Which of our processes wrote the line: operator, webhook, serve, agent. */
  readonly process?: string;
  /** Part inside the process: controller, reflector, leader-election, health. */
  readonly component?: string;
  readonly version?: string;
  readonly controller?: string;
  /** Kind of the object the line is about, `Pacto` or `Deployment.apps`. */
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** `namespace/name`, where the two are one key. */
  readonly key?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly resourceVersion?: string;
  /** One reconcile pass, the same on all its lines. */
  readonly passId?: string;
  /** One gate decision: the same in answer, audit annotation, Event and log. */
  readonly decisionId?: string;
  /** Stable error or finding code. */
  readonly code?: string;
  readonly reason?: string;
  /** Outcome of a pass or a decision. */
  readonly result?: string;
  /** The user a request was made as; never a token. */
  readonly user?: string;
  readonly operation?: string;
  readonly method?: string;
  /** URL path without query. */
  readonly path?: string;
  readonly status?: number;
  /** Milliseconds, with a fraction. */
  readonly durationMs?: number;
  readonly delayMs?: number;
  readonly ageMs?: number;
  readonly attempt?: number;
  readonly count?: number;
  readonly bytes?: number;
  readonly address?: string;
  readonly file?: string;
  readonly node?: string;
  readonly identity?: string;
  readonly holder?: string;
  readonly signal?: string;
  readonly level?: string;
  /** W3C trace context of the request the line belongs to. */
  readonly traceparent?: string;
  /** An Error (serialised with its causes) or what was thrown in its place. */
  readonly error?: unknown;
};

/** The keys of {@link LogFields}, for the test that pins them. */
export const LOG_FIELD_NAMES: readonly (keyof LogFields)[] = [
  'process',
  'component',
  'version',
  'controller',
  'kind',
  'namespace',
  'name',
  'key',
  'uid',
  'generation',
  'resourceVersion',
  'passId',
  'decisionId',
  'code',
  'reason',
  'result',
  'user',
  'operation',
  'method',
  'path',
  'status',
  'durationMs',
  'delayMs',
  'ageMs',
  'attempt',
  'count',
  'bytes',
  'address',
  'file',
  'node',
  'identity',
  'holder',
  'signal',
  'level',
  'traceparent',
  'error',
];
