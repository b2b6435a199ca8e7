// Checks contracts where they do no harm: small ones at once, large texts and foreign schemas on a thread with limits.
import type { BundleTree } from '../bundle/unpack-layer.ts';
import type { DocumentFit, DocumentQuestion } from '../document-fit.ts';
import type { Contract } from '../model.ts';
import { type LoadedContract, parseContract } from '../parse.ts';
import { type CheckedContract, checkLoaded, type CheckRequest } from './check-contract.ts';
import type { ParsedContract } from './check-job.ts';
import { CheckThread, type CheckThreadOptions, type ThreadAnswer } from './check-thread.ts';

/** What a check needs and only the parsed contract can tell. */
export type LateParts = (contract: Contract) => Promise<Pick<CheckRequest, 'tree' | 'policies'>>;

/** Bytes beyond which a text is not parsed on this thread. */
export const LARGE_TEXT_BYTES = 256 * 1024;

/** Owns at most one thread; close it when done. */
export class ContractChecker {
  readonly #thread: CheckThread;
  #parses = 0;

  constructor(options: CheckThreadOptions) {
    this.#thread = new CheckThread(options);
  }

  /** Times a text was parsed or checked; unchanged bytes should not raise it. */
  get parses(): number {
    return this.#parses;
  }

  /** Threads started so far; stays 0 while everything is small. */
  get threads(): number {
    return this.#thread.starts;
  }

  /** Parses alone. Never rejects. */
  async parse(contract: string | Uint8Array): Promise<ParsedContract> {
    const result = await this.#parse(contract);
    return result.kind === 'loaded' ? { kind: 'parsed', contract: result.loaded.contract } : result;
  }

  /**
   * Parses, overrides and validates. Ends within the time limit whatever it is given, and rejects only when `late` does.
   * @param late fetches what depends on the contract: files it names, policies it refers to
   */
  async check(given: CheckRequest, late?: LateParts): Promise<CheckedContract> {
    const parsed = await this.#parse(given.contract);
    if (parsed.kind === 'failed') return parsed;
    const { contract } = parsed.kind === 'loaded' ? parsed.loaded : parsed;
    const request = late === undefined ? given : { ...given, ...(await late(contract)) };
    const tree = request.tree === undefined ? undefined : namedFiles(contract, request.tree);
    if (parsed.kind === 'loaded' && !isHeavy(contract, tree, request)) {
      return checkLoaded(parsed.loaded, { ...request, tree });
    }
    const outcome = await this.#thread.run({ kind: 'check', request: { ...request, tree } });
    if (outcome.kind === 'answer' && outcome.answer.kind === 'check') return outcome.answer.checked;
    return notChecked(outcome);
  }

  /** Whether a document fits a schema that anybody may have written; undecided when a limit ends the question. */
  async fit(question: DocumentQuestion): Promise<DocumentFit> {
    const outcome = await this.#thread.run({ kind: 'fit', question });
    return outcome.kind === 'answer' && outcome.answer.kind === 'fit' ? outcome.answer.fit : 'undecided';
  }

  /** Ends the thread, if one was started. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  async #parse(
    contract: string | Uint8Array,
  ): Promise<{ readonly kind: 'loaded'; readonly loaded: LoadedContract } | ParsedContract> {
    this.#parses += 1;
    if (contract.length <= LARGE_TEXT_BYTES) {
      const parsed = parseContract(contract);
      return parsed.kind === 'failed' ? { ...parsed, fault: 'parse' } : parsed;
    }
    const outcome = await this.#thread.run({ kind: 'parse', contract });
    if (outcome.kind === 'answer' && outcome.answer.kind === 'parse') return outcome.answer.parsed;
    return notChecked(outcome);
  }
}

/** Schemas can be made to run for ever; large files only take long. */
function isHeavy(contract: Contract, tree: BundleTree | undefined, { policies }: CheckRequest): boolean {
  if (policies?.some(({ kind }) => kind === 'schema') === true) return true;
  if (tree === undefined) return false;
  const schemas = [...contract.configurations, ...contract.policies].some(
    ({ schema }) => schema !== undefined && tree.has(schema),
  );
  const bytes = tree.values().reduce((sum, { length }) => sum + length, 0);
  return schemas || bytes > LARGE_TEXT_BYTES;
}

/** Paths of the files validation will ask for. */
export function filesNamedBy({ interfaces, configurations, policies }: Contract): readonly string[] {
  const schemas = [...configurations, ...policies].flatMap(({ schema }) => schema ?? []);
  return [...new Set([...interfaces.map(({ ref }) => ref), ...schemas])];
}

function namedFiles(contract: Contract, tree: BundleTree): BundleTree {
  const named = new Map<string, Uint8Array>();
  for (const name of filesNamedBy(contract)) {
    const bytes = tree.get(name);
    if (bytes !== undefined) named.set(name, bytes);
  }
  return named;
}

function notChecked(outcome: ThreadAnswer): Extract<ParsedContract, { readonly kind: 'failed' }> {
  const reason = outcome.kind === 'answer' ? 'the thread answered something else' : outcome.reason;
  const fault = outcome.kind === 'starved' ? 'starved' : 'limit';
  const advice = fault === 'starved' ? 'try again later' : 'simplify it or its schemas';
  return {
    kind: 'failed',
    fault,
    error: { message: `the contract was not checked: ${reason}; ${advice}`, path: '' },
  };
}
