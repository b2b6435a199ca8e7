// The operator's copy of all Pactos, with every way a change elsewhere leads to the Pactos it concerns.
import type { Lookup } from '../../api/lookup.ts';
import { resolvedRepository } from '../../evaluation/repository.ts';
import type { ProviderView } from '../../evaluation/view.ts';
import { Informer } from '../../kube/informer.ts';
import { objectKey, splitKey } from '../../kube/object-meta.ts';
import { PACTOS } from '../resources.ts';
import type { SharedInformerOptions } from './cluster-informers.ts';
import { type StoredPacto, storePacto } from './stored-pacto.ts';

const BY_TARGET = 'target';
const BY_CONFIG_MAP = 'configMap';
const BY_DEPENDENCY = 'dependency';
const BY_REPOSITORY = 'repository';
const BY_CONTRACT = 'contract';

export class PactoInformer {
  readonly informer: Informer<StoredPacto>;

  constructor(shared: SharedInformerOptions) {
    this.informer = new Informer({
      ...shared,
      type: PACTOS,
      project: storePacto,
      indexes: {
        [BY_TARGET]: ({ targets }) => targets,
        [BY_CONFIG_MAP]: ({ configMaps }) => configMaps,
        [BY_DEPENDENCY]: ({ dependencies }) => dependencies,
        [BY_REPOSITORY]: ({ provider }) => repositoryOf(provider),
        [BY_CONTRACT]: ({ provider }) => {
          const name = provider.contract?.serviceName ?? '';
          return name === '' ? [] : [name];
        },
      },
    });
  }

  /** Pactos whose Service or workload has this name. */
  aiming(namespace: string, name: string): readonly StoredPacto[] {
    return this.#present(BY_TARGET, objectKey(namespace, name));
  }

  /** Pactos with a configuration bound to this ConfigMap, by `namespace/name`. */
  bindingConfigMap(key: string): readonly StoredPacto[] {
    return this.#present(BY_CONFIG_MAP, key);
  }

  /** Pactos that depend on what this provider's contract was loaded from. */
  dependingOn({ provider }: StoredPacto): readonly StoredPacto[] {
    return repositoryOf(provider).flatMap((repository) => this.#present(BY_DEPENDENCY, repository));
  }

  ofRepository(repository: string): Lookup<readonly ProviderView[]> {
    return this.#providers(BY_REPOSITORY, repository);
  }

  named(contractService: string): Lookup<readonly ProviderView[]> {
    return this.#providers(BY_CONTRACT, contractService);
  }

  on(namespace: string, serviceName: string): Lookup<readonly ProviderView[]> {
    const found = this.#providers(BY_TARGET, objectKey(namespace, serviceName));
    if (found.kind !== 'found') return found;
    return { kind: 'found', value: found.value.filter((provider) => provider.serviceName === serviceName) };
  }

  /** Pactos whose target is this Service, by `namespace/name`. */
  servedBy(key: string): readonly StoredPacto[] {
    const { name } = splitKey(key);
    return this.#present(BY_TARGET, key).filter(({ provider }) => provider.serviceName === name);
  }

  #providers(index: string, key: string): Lookup<readonly ProviderView[]> {
    const found = this.informer.byIndex(index, key);
    return found.kind === 'found'
      ? { kind: 'found', value: found.value.map(({ provider }) => provider) }
      : found;
  }

  /**
   * Nothing is lost while Pactos cannot be read: all are looked at again when they can. One Pacto that nobody understands
   * does not keep the others from being woken.
   */
  #present(index: string, key: string): readonly StoredPacto[] {
    return this.informer.known(index, key);
  }
}

function repositoryOf({ contract }: ProviderView): readonly string[] {
  const ref = contract?.resolvedRef ?? '';
  const repository = ref === '' ? undefined : resolvedRepository(ref);
  return repository === undefined ? [] : [repository];
}
