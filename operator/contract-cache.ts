// Contracts by their text: parsed and checked once, then handed out until other texts have pushed them out.
import { createHash } from 'node:crypto';
import { loadInline, type LoadError, type LoadedContract } from '../contract/parse.ts';
import { validateContract, type ValidationResult } from '../contract/validate.ts';

/** What became of one text. */
export type LoadedText =
  | { readonly kind: 'failed'; readonly error: LoadError }
  | { readonly kind: 'loaded'; readonly loaded: LoadedContract; readonly validation: ValidationResult };

/** Texts kept; the parsed form of a usual contract takes some 50 KiB. */
const DEFAULT_CAPACITY = 2_000;

export class ContractCache {
  readonly #capacity: number;
  readonly #texts = new Map<string, LoadedText>();
  #parses = 0;

  /** @param capacity texts kept. Default: 2,000 */
  constructor(capacity: number = DEFAULT_CAPACITY) {
    this.#capacity = capacity;
  }

  /** Times a text had to be parsed; unchanged bytes do not raise it. */
  get parses(): number {
    return this.#parses;
  }

  /** Loads and validates the text of an inline contract. Never throws. */
  inline(text: string): LoadedText {
    const key = createHash('sha256').update(text).digest('base64');
    const known = this.#texts.get(key);
    if (known !== undefined) {
      // Moving it to the end keeps the order of use, so that the oldest use is the first to go.
      this.#texts.delete(key);
      this.#texts.set(key, known);
      return known;
    }
    this.#parses += 1;
    const result = loadInline(text);
    const loaded: LoadedText =
      result.kind === 'failed'
        ? result
        : { kind: 'loaded', loaded: result.loaded, validation: validateContract(result.loaded) };
    this.#texts.set(key, loaded);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > this.#capacity && oldest !== undefined) this.#texts.delete(oldest);
    return loaded;
  }
}
