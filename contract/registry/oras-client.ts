// Registries through the `oras` program: manifests, blobs and tags as bytes, and images pushed. What comes back is held
// against its digest here; oras is a transport, not a witness.
import { BUNDLE_LIMITS } from '../bundle/bundle-limits.ts';
import { hasDigest } from '../bundle/digest.ts';
import type { Descriptor } from '../bundle/manifest.ts';
import { ChildLimits } from './child-limits.ts';
import { classifyOras, type OrasFailure } from './classify-oras.ts';
import type { CredentialFolders } from './credential-folders.ts';
import { type CredentialSource, registryConfig, secretsOf } from './credentials.ts';
import type { LoadFailure } from './load-failure.ts';
import { type RegistryReference, referenceText } from './registry-reference.ts';
import { withoutSecrets } from './without-secrets.ts';
import { type ChildOutcome, runChild, type Timers } from './run-child.ts';

export type OrasOptions = {
  /** Path of the program, or its name on the PATH of `env`. Default: `oras`. */
  readonly program?: string;
  /** Environment to take PATH, HOME, proxies and CA files from; nothing else of it reaches oras. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Registries (`host:port`) spoken to in plain HTTP. All others, loopback included, need TLS. */
  readonly insecureRegistries?: readonly string[];
  readonly folders: CredentialFolders;
  /** Longest run of one child in milliseconds. Default: 30,000. */
  readonly requestTimeoutMs?: number;
  /** Children at a time, in all; half of them for any one registry. Default: 8. */
  readonly maxChildren?: number;
  readonly timers: Timers;
};

export type RegistryAnswer<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: LoadFailure };

const PASSED_ON = [
  ...['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
];
const MAX_TAG_BYTES = 8 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_CHILDREN = 8;

/** One per process. At most one child per reference at a time. */
export class OrasClient {
  readonly #program: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #insecure: ReadonlySet<string>;
  readonly #folders: CredentialFolders;
  readonly #timeoutMs: number;
  readonly #timers: Timers;
  readonly #limits: ChildLimits;
  #children = 0;

  constructor(options: OrasOptions) {
    this.#program = options.program ?? 'oras';
    this.#env = Object.fromEntries(
      PASSED_ON.flatMap((name) => {
        const value = options.env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
    this.#insecure = new Set(
      options.insecureRegistries?.map((host) => host.trim()).filter((host) => host !== ''),
    );
    this.#folders = options.folders;
    this.#timeoutMs = options.requestTimeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#timers = options.timers;
    this.#limits = new ChildLimits(options.maxChildren ?? DEFAULT_CHILDREN);
  }

  /** Children started so far. */
  get children(): number {
    return this.#children;
  }

  /** Bytes of the manifest a reference names. With a digest they have it. */
  async manifest(
    reference: RegistryReference,
    source: CredentialSource,
    signal: AbortSignal,
  ): Promise<RegistryAnswer<Buffer>> {
    const text = referenceText(reference, reference);
    const answer = await this.#run(['manifest', 'fetch'], {
      ...{ reference, source, signal, text },
      maxOutputBytes: BUNDLE_LIMITS.manifestBytes,
      tooMuch: {
        kind: 'invalid-bundle',
        cause: `its manifest is larger than ${BUNDLE_LIMITS.manifestBytes} bytes`,
      },
    });
    if (answer.kind === 'failed' || reference.digest === undefined) return answer;
    return verified(answer.value, reference.digest, text);
  }

  /** Bytes of a blob, which have the descriptor's digest. */
  async blob(
    reference: RegistryReference,
    { digest, size }: Descriptor,
    source: CredentialSource,
    signal: AbortSignal,
  ): Promise<RegistryAnswer<Buffer>> {
    const text = referenceText(reference, { digest });
    const answer = await this.#run(['blob', 'fetch', '--output', '-'], {
      ...{ reference, source, signal, text },
      maxOutputBytes: size,
      tooMuch: {
        kind: 'invalid-bundle',
        cause: `its layer is larger than the ${size} bytes its manifest promises`,
      },
    });
    return answer.kind === 'failed' ? answer : verified(answer.value, digest, text);
  }

  /** All tags of the repository, in the registry's order. */
  async tags(
    reference: RegistryReference,
    source: CredentialSource,
    signal: AbortSignal,
  ): Promise<RegistryAnswer<readonly string[]>> {
    const answer = await this.#run(['repo', 'tags'], {
      ...{ reference, source, signal, text: referenceText(reference) },
      maxOutputBytes: MAX_TAG_BYTES,
      tooMuch: { kind: 'unreachable', cause: 'its list of tags does not end' },
    });
    if (answer.kind === 'failed') return answer;
    return {
      kind: 'answer',
      value: answer.value
        .toString('utf8')
        .split('\n')
        .filter((tag) => tag !== ''),
    };
  }

  /** Copies `tag` of an OCI layout folder to a reference that has a tag. */
  async push(
    layout: { readonly folder: string; readonly tag: string },
    reference: RegistryReference,
    source: CredentialSource,
    signal: AbortSignal,
  ): Promise<RegistryAnswer<undefined>> {
    const answer = await this.#run(['cp', '--no-tty', '--from-oci-layout'], {
      ...{ reference, source, signal, text: referenceText(reference, reference) },
      side: 'to-',
      before: [`${layout.folder}:${layout.tag}`],
      maxOutputBytes: 1024 * 1024,
      tooMuch: { kind: 'unclassified', cause: 'its output does not end' },
    });
    return answer.kind === 'failed' ? answer : { kind: 'answer', value: undefined };
  }

  async #run(command: readonly string[], run: Run): Promise<RegistryAnswer<Buffer>> {
    const place = { key: run.text, group: run.reference.registry };
    return this.#limits.run(place, run.signal, async () => {
      const { reference, source, signal, text, side = '', before = [] } = run;
      const config = await this.#config(reference.registry, source);
      if (config.kind === 'failed') return config;
      const plain = this.#insecure.has(reference.registry);
      try {
        this.#children += 1;
        const outcome = await runChild({
          program: this.#program,
          args: [
            ...command,
            `--${side}plain-http=${plain}`,
            `--${side}registry-config=${config.value.path}`,
            '--',
            ...before,
            text,
          ],
          env: this.#env,
          timeoutMs: this.#timeoutMs,
          maxOutputBytes: run.maxOutputBytes,
          signal,
          timers: this.#timers,
        });
        return this.#judge(outcome, run);
      } finally {
        // The answer counts, whatever becomes of the file: it is tried again when this process ends and when the next starts.
        await config.value.remove().catch(() => undefined);
      }
    });
  }

  /** A Docker configuration is used where it lies; anything else gets a private file, also to keep oras from looking. */
  async #config(
    registry: string,
    source: CredentialSource,
  ): Promise<RegistryAnswer<{ readonly path: string; remove(): Promise<void> }>> {
    if (source.kind === 'docker-config') {
      return { kind: 'answer', value: { path: source.file, remove: () => Promise.resolve() } };
    }
    const credentials = source.kind === 'credentials' ? source.credentials : undefined;
    try {
      return { kind: 'answer', value: await this.#folders.write(registryConfig(registry, credentials)) };
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      return failed('unreachable', `credentials for ${registry} cannot be handed to oras: ${cause}`);
    }
  }

  #judge(outcome: ChildOutcome, run: Run): RegistryAnswer<Buffer> {
    const { source, text, tooMuch } = run;
    switch (outcome.kind) {
      case 'done':
        return { kind: 'answer', value: outcome.output };
      case 'timed-out':
        return failed(
          'unreachable',
          `registry unreachable for ${text}: no complete answer within ${this.#timeoutMs} ms`,
        );
      case 'too-much-output':
        return describeFailure(tooMuch, text, source);
      case 'not-started':
        return failed(
          'unreachable',
          `cannot run ${this.#program} to reach ${text}: ${obstacle(outcome.reason)}`,
        );
      case 'failed':
        return describeFailure(shownFailure(outcome.errors, source), text, source);
    }
  }
}

type Run = {
  readonly reference: RegistryReference;
  readonly source: CredentialSource;
  readonly signal: AbortSignal;
  /** The reference as oras gets it; also what its children queue by. */
  readonly text: string;
  /** In front of options of the side that has credentials, for commands with two. */
  readonly side?: 'to-';
  /** Operands before the reference. */
  readonly before?: readonly string[];
  readonly maxOutputBytes: number;
  /** What it means that the output is longer. */
  readonly tooMuch: OrasFailure;
};

function describeFailure(
  { kind, cause }: OrasFailure,
  text: string,
  source: CredentialSource,
): RegistryAnswer<never> {
  switch (kind) {
    case 'authentication':
      return failed(kind, `authentication failed for ${text}: ${cause}; ${remedyFor(source)}`);
    case 'not-found':
      return failed(kind, `artifact not found: ${text}`);
    case 'invalid-reference':
      return failed(kind, `invalid OCI reference "${text}": ${cause}`);
    case 'invalid-bundle':
      return failed(kind, `artifact at ${text} is not a valid Pacto bundle: ${cause}`);
    case 'unreachable':
      return failed(kind, `registry unreachable for ${text}: ${cause}${wayTo(cause)}`);
    case 'unclassified':
      return failed(kind, `oras failed for ${text}: ${cause}`);
    default:
      return kind satisfies never;
  }
}

/** What to do about the two obstacles that a setting removes. */
function wayTo(cause: string): string {
  if (cause.includes('server gave HTTP response to HTTPS client'))
    return '; if it is to be spoken to in plain HTTP, name it with --insecure-registry';
  if (cause.includes('x509: certificate signed by unknown authority'))
    return '; name the certificate of its authority in SSL_CERT_FILE';
  return '';
}

function remedyFor({ kind }: CredentialSource): string {
  return kind === 'credentials'
    ? 'check the pull secret, or the PACTO_REGISTRY_ variables, that these credentials come from'
    : "log in with 'oras login' or set PACTO_REGISTRY_TOKEN";
}

/** The class by what was said, the cause without what must not be shown. */
function shownFailure(errors: string, source: CredentialSource): OrasFailure {
  const { cause } = classifyOras(withoutSecrets(errors, secretsOf(source)));
  return { kind: classifyOras(errors).kind, cause };
}

/** What keeps oras from starting, with what to do where that is known. */
function obstacle(reason: string): string {
  const remedy = 'install oras (https://oras.land) or name its path with --oras';
  if (reason === 'ENOENT') return `it was not found; ${remedy}`;
  if (reason === 'EACCES') return `it may not be run (${reason}); ${remedy}`;
  if (reason === 'EMFILE') return `this process has too many open files (${reason}); raise its limit`;
  return reason;
}

function verified(bytes: Buffer, digest: string, text: string): RegistryAnswer<Buffer> {
  if (hasDigest(bytes, digest)) return { kind: 'answer', value: bytes };
  return failed(
    'invalid-bundle',
    `artifact at ${text} is not a valid Pacto bundle: its bytes do not have the digest ${digest}`,
  );
}

function failed(kind: LoadFailure['kind'], message: string): RegistryAnswer<never> {
  return { kind: 'failed', failure: { kind, message } };
}
