// Answers what evaluation asks beyond its view: probes over the network, one Secret, one ConfigMap.
import { documentFit } from '../../evaluation/document-fit.ts';
import type {
  DocumentFit,
  DocumentInquiry,
  Inquirer,
  Inquiry,
  SecretInquiry,
} from '../../evaluation/observe/inquiry.ts';
import { inquiryKey } from '../../evaluation/observe/inquiry.ts';
import type { Lookup } from '../../api/lookup.ts';
import * as read from '../../api/read.ts';
import { KubeApiError } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { OperatorCache } from '../cache/operator-cache.ts';
import { CONFIG_MAPS, SECRETS } from '../resources.ts';
import { type ProbeOptions, probeHttp } from './http-probe.ts';
import { Limiter } from './limiter.ts';
import { probeProtocol } from './protocol-probe.ts';

export type InquiriesOptions = ProbeOptions & {
  readonly client: KubeClient;
  readonly cache: Pick<OperatorCache, 'configMapVersion'>;
  /** Questions asked at once. Default: 16. */
  readonly concurrency?: number;
};

/** Documents whose answer is kept, by version; the documents themselves are not. */
const MAX_KNOWN_DOCUMENTS = 10_000;
const REQUEST_MS = 5_000;

export class Inquiries {
  readonly #options: InquiriesOptions;
  readonly #limiter: Limiter;
  readonly #documents = new Map<string, { readonly version: string; readonly fit: DocumentFit }>();

  constructor(options: InquiriesOptions) {
    this.#options = options;
    this.#limiter = new Limiter(options.concurrency ?? 16);
  }

  /** An {@link Inquirer}. */
  readonly ask = ((inquiry: Inquiry, signal: AbortSignal): Promise<unknown> => {
    signal.throwIfAborted();
    return this.#limiter.run(async () => {
      switch (inquiry.kind) {
        case 'http':
          return probeHttp(inquiry, this.#options, signal);
        case 'protocol':
          return probeProtocol(inquiry, this.#options, signal);
        case 'document':
          return this.#document(inquiry, signal);
        case 'secret':
          return this.#secret(inquiry, signal);
        default:
          return inquiry satisfies never;
      }
    });
    // Each kind is answered by its own kind of answer, which the type of a union cannot say.
  }) as Inquirer;

  /** Reads a ConfigMap only when it is another than at the last answer. */
  async #document(inquiry: DocumentInquiry, signal: AbortSignal): Promise<Lookup<DocumentFit>> {
    const { namespace, name } = inquiry;
    const version = this.#options.cache.configMapVersion(namespace, name);
    if (version.kind !== 'found') return version;
    const key = inquiryKey(inquiry);
    const known = this.#documents.get(key);
    if (known?.version === version.value) return { kind: 'found', value: known.fit };
    const found = await this.#get(() =>
      this.#options.client.get(CONFIG_MAPS, { namespace, name }, { signal, timeoutMs: REQUEST_MS }),
    );
    if (found.kind !== 'found') return found;
    const fit = documentFit(inquiry, read.stringMap(found.value, 'data'));
    const fresh = read.string(read.object(found.value, 'metadata'), 'resourceVersion') ?? '';
    this.#keep(key, { version: fresh, fit });
    return { kind: 'found', value: fit };
  }

  /** Its metadata alone is asked for, so that no value ever enters this process. */
  async #secret({ namespace, name }: SecretInquiry, signal: AbortSignal): Promise<Lookup<true>> {
    const found = await this.#get(() =>
      this.#options.client.get(
        SECRETS,
        { namespace, name },
        { signal, timeoutMs: REQUEST_MS, representation: 'metadata' },
      ),
    );
    return found.kind === 'found' ? { kind: 'found', value: true } : found;
  }

  async #get(ask: () => Promise<unknown>): Promise<Lookup<unknown>> {
    try {
      return { kind: 'found', value: await ask() };
    } catch (error) {
      if (error instanceof KubeApiError && error.isNotFound) return { kind: 'absent' };
      return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  #keep(key: string, answer: { readonly version: string; readonly fit: DocumentFit }): void {
    this.#documents.delete(key);
    this.#documents.set(key, answer);
    const [oldest] = this.#documents.keys();
    if (this.#documents.size > MAX_KNOWN_DOCUMENTS && oldest !== undefined) this.#documents.delete(oldest);
  }
}
