// Answers what evaluation asks beyond its view: probes over the network, one Secret, one ConfigMap.
import { createHash } from 'node:crypto';
import type { Lookup } from '../../api/lookup.ts';
import * as read from '../../api/read.ts';
import type { ContractChecker } from '../../contract/check/contract-checker.ts';
import type { DocumentFit } from '../../contract/document-fit.ts';
import {
  type DocumentInquiry,
  type Inquirer,
  type Inquiry,
  inquiryKey,
  type SecretInquiry,
} from '../../evaluation/observe/inquiry.ts';
import { KubeApiError } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { OperatorCache } from '../cache/operator-cache.ts';
import type { Clock, MonotonicTime } from '../../runtime/clock.ts';
import { CONFIG_MAPS, SECRETS } from '../resources.ts';
import { probeHttp } from './http-probe.ts';
import { Limiter } from './limiter.ts';
import type { ProbeOptions } from './probe-deadline.ts';
import { probeProtocol } from './protocol-probe.ts';

export type InquiriesOptions = ProbeOptions & {
  readonly client: Pick<KubeClient, 'get'>;
  readonly cache: Pick<OperatorCache, 'configMapVersion'>;
  /** Judges documents on a thread, since their schemas may be made to run for ever. */
  readonly checker: Pick<ContractChecker, 'fit'>;
  readonly monotonic: Clock['monotonic'];
};

/** Probes at once: more than a pass asks, so that one slow target holds up few others. */
const PROBES_AT_ONCE = 32;
/** Reads of the API server at once; they never wait behind probes. */
const READS_AT_ONCE = 8;
const REQUEST_MS = 5_000;
/** Documents whose answer is kept, by version; the documents themselves are not. */
const MAX_KNOWN_DOCUMENTS = 10_000;
/** An answer that is none may come of a machine that had no time: it is not asked for again at once, but it is. */
const UNDECIDED_MS = 60_000;

type KnownDocument = { readonly version: string; readonly fit: DocumentFit; readonly askedAt: MonotonicTime };

export class Inquiries {
  readonly #options: InquiriesOptions;
  readonly #probes = new Limiter(PROBES_AT_ONCE);
  readonly #reads = new Limiter(READS_AT_ONCE);
  readonly #documents = new Map<string, KnownDocument>();

  constructor(options: InquiriesOptions) {
    this.#options = options;
  }

  /** An {@link Inquirer}. */
  readonly ask = ((inquiry: Inquiry, signal: AbortSignal): Promise<unknown> => {
    const limiter = inquiry.kind === 'http' || inquiry.kind === 'protocol' ? this.#probes : this.#reads;
    return limiter.run(async () => {
      // Whoever waited in line may not be wanted any more; what an abort cut short is no answer.
      signal.throwIfAborted();
      const answer = await this.#answer(inquiry, signal);
      signal.throwIfAborted();
      return answer;
    });
    // Each kind is answered by its own kind of answer, which the type of a union cannot say.
  }) as Inquirer;

  async #answer(inquiry: Inquiry, signal: AbortSignal): Promise<unknown> {
    switch (inquiry.kind) {
      case 'http':
        return probeHttp(inquiry, this.#options, signal).catch(() => ({ kind: 'unanswered' }));
      case 'protocol':
        return probeProtocol(inquiry, this.#options, signal).catch(() => undefined);
      case 'document':
        return this.#document(inquiry, signal);
      case 'secret':
        return this.#secret(inquiry, signal);
      default:
        return inquiry satisfies never;
    }
  }

  /** Reads a ConfigMap only when it is another than at the last answer. */
  async #document(inquiry: DocumentInquiry, signal: AbortSignal): Promise<Lookup<DocumentFit>> {
    const { namespace, name, key, format, schema } = inquiry;
    const version = this.#options.cache.configMapVersion(namespace, name);
    if (version.kind !== 'found') return version;
    // Whole schemas as keys would fill the memory.
    const question = createHash('sha256').update(inquiryKey(inquiry)).digest('base64');
    const known = this.#documents.get(question);
    if (known?.version === version.value && !this.#isDue(known)) return { kind: 'found', value: known.fit };
    const found = await this.#get(() =>
      this.#options.client.get(CONFIG_MAPS, { namespace, name }, { signal, timeoutMs: REQUEST_MS }),
    );
    if (found.kind !== 'found') return found;
    const data = read.stringMap(found.value, 'data');
    const text = key !== undefined && Object.hasOwn(data, key) ? data[key] : undefined;
    const fit =
      text === undefined || schema === undefined
        ? 'undecided'
        : await this.#options.checker.fit({ text, format, schema });
    const fresh = read.string(read.object(found.value, 'metadata'), 'resourceVersion') ?? '';
    this.#keep(question, { version: fresh, fit, askedAt: this.#options.monotonic.now() });
    return { kind: 'found', value: fit };
  }

  /** Its metadata alone is asked for, so that no value ever enters this process. */
  async #secret({ namespace, name }: SecretInquiry, signal: AbortSignal): Promise<Lookup<true>> {
    const options = { signal, timeoutMs: REQUEST_MS, representation: 'metadata' } as const;
    const found = await this.#get(() => this.#options.client.get(SECRETS, { namespace, name }, options));
    return found.kind === 'found' ? { kind: 'found', value: true } : found;
  }

  async #get(ask: () => Promise<unknown>): Promise<Lookup<unknown>> {
    try {
      return { kind: 'found', value: await ask() };
    } catch (error) {
      // A 404 of something in between is no word of the API server.
      if (error instanceof KubeApiError && error.isNotFound && !error.isNotServed) return { kind: 'absent' };
      return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  #isDue({ fit, askedAt }: KnownDocument): boolean {
    return fit === 'undecided' && this.#options.monotonic.now() - askedAt >= UNDECIDED_MS;
  }

  #keep(question: string, answer: KnownDocument): void {
    this.#documents.delete(question);
    this.#documents.set(question, answer);
    const [oldest] = this.#documents.keys();
    if (this.#documents.size > MAX_KNOWN_DOCUMENTS && oldest !== undefined) this.#documents.delete(oldest);
  }
}
