// What a failed run of oras means, told from the sentence it ends with.
import type { LoadFailureKind } from './load-failure.ts';

export type OrasFailure = {
  readonly kind: Extract<
    LoadFailureKind,
    'unreachable' | 'authentication' | 'not-found' | 'invalid-reference' | 'invalid-bundle' | 'unclassified'
  >;
  /** One line of what oras said. */
  readonly cause: string;
};

/** First match counts. An answer of the registry that is not named here says nothing about the artifact. */
const PATTERNS: readonly (readonly [pattern: RegExp, kind: OrasFailure['kind']])[] = [
  // A helper that fails and a configuration that cannot be read say nothing about the artifact either.
  [/: failed to resolve credential: |^Error: failed to decode config file /m, 'authentication'],
  [/response status code (?:401|403)\b/, 'authentication'],
  [/response status code 404\b/, 'not-found'],
  [/response status code [0-9]{3}\b/, 'unreachable'],
  [
    /basic credential not found|credential(?:s)? (?:required|not found)|no basic auth credentials/,
    'authentication',
  ],
  [/^Error response from registry: (?:.*: )?(?:unauthorized|denied)\b/m, 'authentication'],
  [
    /^Error response from registry: (?:.*: )?(?:name|manifest|blob|repository|repository name) (?:unknown|not known)\b/m,
    'not-found',
  ],
  [/: not found$/m, 'not-found'],
  [/: invalid reference\b|invalid reference:/, 'invalid-reference'],
  [
    /mismatch(?:ed)? (?:digest|size)|digest mismatch|size exceeds|exceeds MaxBytes|larger than|trailing data|verification failed/i,
    'invalid-bundle',
  ],
  [
    /\b(?:dial|lookup|connect|read|write) (?:tcp|udp|unix)\b|no such host|connection re(?:set|fused)|server misbehaving/,
    'unreachable',
  ],
  [/\bEOF\b|timeout|deadline exceeded|broken pipe|closed network connection/, 'unreachable'],
  [
    /tls:|x509:|http: server gave HTTP response|malformed HTTP|http2:|stopped after 10 redirects|unsupported protocol scheme/,
    'unreachable',
  ],
  // Something that is no registry, a login page for example.
  [/unknown response|invalid response|missing response|failed to decode response/i, 'unreachable'],
  [/^Error response from registry:/m, 'unreachable'],
  [/\b(?:Get|Head|Post|Put|Patch) "http/, 'unreachable'],
];
const LONGEST_CAUSE = 300;

/** Judges the standard error of a run that failed. */
export function classifyOras(errors: string): OrasFailure {
  const kind = PATTERNS.find(([pattern]) => pattern.test(errors))?.[1] ?? 'unclassified';
  const lines = errors.trim().split('\n');
  // What a credential helper says comes first; only oras itself begins a line like this.
  const line = lines.find((candidate) => candidate.startsWith('Error')) ?? lines[0] ?? '';
  // Which registry it was is said in front of the cause already.
  const cause = line
    .replace(/^Error(?: response from registry| from (?:source|destination) registry for "[^"]*")?: /, '')
    .slice(0, LONGEST_CAUSE);
  return { kind, cause: cause === '' ? 'oras failed without saying why' : cause };
}
