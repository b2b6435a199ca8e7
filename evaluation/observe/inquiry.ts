// What observation asks beyond the view: the few answers that are not in memory. Observation stays pure: it says what it
// would ask, whoever runs it asks, and the same observation is made again with the answers.
import type { Lookup } from '../../api/lookup.ts';
import type { DocumentFit } from '../../contract/document-fit.ts';
import type { Protocol } from '../evidence.ts';

/** One GET over plain HTTP/1.1, at most 5 s, no redirect followed. */
export type HttpInquiry = {
  readonly kind: 'http';
  /** `<service>.<namespace>.svc`. */
  readonly host: string;
  readonly port: number;
  /** Begins with a slash and is escaped: nothing in it can change the authority or begin a query. */
  readonly path: string;
};
/** One TCP connection that is greeted as an HTTP/2 client would. */
export type ProtocolInquiry = { readonly kind: 'protocol'; readonly host: string; readonly port: number };
/** Whether the text at a key of a ConfigMap fits a schema. The text itself never leaves who answers. */
export type DocumentInquiry = {
  readonly kind: 'document';
  readonly namespace: string;
  readonly name: string;
  readonly key?: string;
  readonly format?: string;
  /** JSON text of the schema; absent when there is none to judge by. */
  readonly schema?: string;
};
/** Whether a Secret exists. Its content is never read. */
export type SecretInquiry = { readonly kind: 'secret'; readonly namespace: string; readonly name: string };

export type Inquiry = HttpInquiry | ProtocolInquiry | DocumentInquiry | SecretInquiry;

/** `text`: at most 4,096 bytes of the body. */
export type HttpAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly contentType: string;
      readonly text: string;
    }
  | { readonly kind: 'unanswered' };

type Answers = {
  readonly http: HttpAnswer;
  readonly protocol: Protocol | undefined;
  readonly document: Lookup<DocumentFit>;
  readonly secret: Lookup<true>;
};
export type AnswerTo<Q extends Inquiry> = Answers[Q['kind']];

/** Asks one question. Never rejects but when `signal` aborts: what goes wrong is an answer too. */
export type Inquirer = <Q extends Inquiry>(inquiry: Q, signal: AbortSignal) => Promise<AnswerTo<Q>>;

/** Answers of one pass, by question. */
export class AnswerBook {
  readonly #answers = new Map<string, unknown>();

  /** The answer and whether there is one: an answer may be undefined. */
  find<Q extends Inquiry>(inquiry: Q): { readonly answer: AnswerTo<Q> } | undefined {
    const key = inquiryKey(inquiry);
    // The key holds the kind, so the answer is of that kind.
    return this.#answers.has(key) ? { answer: this.#answers.get(key) as AnswerTo<Q> } : undefined;
  }

  enter<Q extends Inquiry>(inquiry: Q, answer: AnswerTo<Q>): void {
    this.#answers.set(inquiryKey(inquiry), answer);
  }
}

/** Equal for equal questions. */
export function inquiryKey(inquiry: Inquiry): string {
  return JSON.stringify(Object.entries(inquiry).sort(([a], [b]) => (a < b ? -1 : 1)));
}
