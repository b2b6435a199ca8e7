// Contracts by their text: parsed and checked once, then handed out until other texts have pushed them out.
import { createHash } from 'node:crypto';
import { loadInline, type LoadError, type LoadedContract } from '../contract/parse.ts';
import { applyOverrides, type ConfigurationOverride } from '../contract/overrides.ts';
import { validateContract, type ValidationResult } from '../contract/validate.ts';

/** What became of one text, with what the resource lays over it. */
export type EffectiveContract =
  | { readonly kind: 'failed'; readonly error: LoadError }
  | { readonly kind: 'overrideFailed'; readonly message: string }
  | {
      readonly kind: 'loaded';
      readonly loaded: LoadedContract;
      readonly validation: ValidationResult;
      /** Sorted keys the resource sets, by configuration name. */
      readonly overriddenKeys: ReadonlyMap<string, readonly string[]>;
    };

/** Texts kept; the parsed form of a usual contract takes some 50 KiB. */
const DEFAULT_CAPACITY = 2_000;

export class ContractCache {
  readonly #capacity: number;
  readonly #texts = new Map<string, EffectiveContract>();
  #parses = 0;

  /** @param capacity texts kept. Default: 2,000 */
  constructor(capacity: number = DEFAULT_CAPACITY) {
    this.#capacity = capacity;
  }

  /** Times a text had to be parsed; unchanged bytes do not raise it. */
  get parses(): number {
    return this.#parses;
  }

  /** Loads the text of an inline contract, applies overrides and validates the result. Never throws. */
  inline(text: string, overrides: readonly ConfigurationOverride[] = []): EffectiveContract {
    const hash = createHash('sha256').update(text);
    if (overrides.length > 0) hash.update('\0').update(JSON.stringify(overrides));
    const key = hash.digest('base64');
    const known = this.#texts.get(key);
    if (known !== undefined) {
      // Moving it to the end keeps the order of use, so that the oldest use is the first to go.
      this.#texts.delete(key);
      this.#texts.set(key, known);
      return known;
    }
    this.#parses += 1;
    const effective = effectiveContract(text, overrides);
    this.#texts.set(key, effective);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > this.#capacity && oldest !== undefined) this.#texts.delete(oldest);
    return effective;
  }
}

function effectiveContract(text: string, overrides: readonly ConfigurationOverride[]): EffectiveContract {
  const read = loadInline(text);
  if (read.kind === 'failed') return read;
  const applied = applyOverrides(read.loaded, overrides);
  if (applied.kind === 'failed') return { kind: 'overrideFailed', message: applied.message };
  const { loaded, overriddenKeys } = applied;
  return { kind: 'loaded', loaded, validation: validateContract(loaded), overriddenKeys };
}
