// Contracts of Pactos, fetched beside the passes: a pass takes what is there at once, or gives its worker back and is woken
// when the contract has come, so that a registry that hangs holds up no other Pacto.
import type { ContractLoading, ContractOutcome } from '../contract/loader/contract-loader.ts';
import { credentialsFromSecret } from '../contract/registry/pull-secret.ts';
import { normalizeReference } from '../contract/registry/registry-reference.ts';
import type { RegistryCredentials } from '../contract/registry/credentials.ts';
import type { Timers } from '../runtime/clock.ts';
import { type PactoRecord, pactoKey } from './cache/pacto-record.ts';
import { oneTurnFor } from './one-turn.ts';
import type { PullSecretReader } from './pull-secret-reader.ts';

export type PactoContractsOptions = {
  readonly loader: Pick<ContractLoading, 'load'>;
  readonly pullSecrets: PullSecretReader;
  readonly timers: Timers;
};

type Load = {
  /** What was asked for: a Pacto that asks for something else meanwhile gets a load of its own. */
  readonly request: string;
  readonly stop: AbortController;
  readonly outcome: Promise<ContractOutcome>;
  isDone: boolean;
  /** A pass went without it and is to be woken. */
  isAwaited: boolean;
};

/** One per controller. Holds no credentials longer than the load that uses them. */
export class PactoContracts {
  readonly #options: PactoContractsOptions;
  readonly #loads = new Map<string, Load>();

  constructor(options: PactoContractsOptions) {
    this.#options = options;
  }

  /** Loads that run, or that came too late for their pass and wait for the next. */
  get pending(): number {
    return this.#loads.size;
  }

  /**
   * The contract of a Pacto, or undefined when it is not there yet; then `wake` is called once it is, and the next call for
   * the same contract gets it. Rejects when loading broke, which only a mistake in the program does.
   */
  async obtain(
    pacto: PactoRecord,
    { signal, wake }: { readonly signal: AbortSignal; readonly wake: () => void },
  ): Promise<ContractOutcome | undefined> {
    const key = pactoKey(pacto);
    const { contractRef, overrides } = pacto.spec;
    const request = JSON.stringify([contractRef, overrides?.configurations]);
    const known = this.#loads.get(key);
    if (known !== undefined && known.request !== request) this.forget(key);
    const load = this.#loads.get(key) ?? this.#start(key, request, pacto, signal, wake);
    await oneTurnFor(load.outcome, this.#options.timers);
    // Asked and noted in one go: whatever comes later finds the note and wakes.
    if (!load.isDone) {
      load.isAwaited = true;
      return undefined;
    }
    this.#loads.delete(key);
    return load.outcome;
  }

  /** Ends what runs for a Pacto that is gone. */
  forget(key: string): void {
    const load = this.#loads.get(key);
    this.#loads.delete(key);
    load?.stop.abort(new Error('the contract is no longer asked for'));
  }

  #start(key: string, request: string, pacto: PactoRecord, signal: AbortSignal, wake: () => void): Load {
    const stop = new AbortController();
    const outcome = this.#load(pacto, AbortSignal.any([signal, stop.signal]));
    const load: Load = { request, stop, outcome, isDone: false, isAwaited: false };
    const settle = (): void => {
      load.isDone = true;
      if (load.isAwaited && this.#loads.get(key) === load) wake();
    };
    outcome.then(settle, settle);
    this.#loads.set(key, load);
    return load;
  }

  /** controller.md 2.4, steps 4 and 6. */
  async #load({ namespace, spec }: PactoRecord, signal: AbortSignal): Promise<ContractOutcome> {
    const { inline, oci, pullSecretRef = '' } = spec.contractRef ?? {};
    let credentials: RegistryCredentials | undefined;
    if (pullSecretRef !== '') {
      const read = await this.#options.pullSecrets({ namespace, name: pullSecretRef }, signal);
      const found =
        read.kind === 'found' ? credentialsFromSecret(read.secret, normalizeReference(oci ?? '')) : read;
      if (found.kind === 'unusable') {
        const message = `failed to read pull secret ${JSON.stringify(pullSecretRef)}: ${found.message}`;
        return { kind: 'failed', failure: { kind: 'pull-secret', message } };
      }
      ({ credentials } = found);
    }
    const overrides = spec.overrides?.configurations ?? [];
    return this.#options.loader.load({ inline, oci, overrides, credentials }, signal);
  }
}
