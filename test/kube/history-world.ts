// The server's side of a random history: what the judge writes, deletes and reads, past all that breaks for the readers.
import { KubeApiError } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { resourcePath } from '../../kube/resource.ts';
import { insist } from './insist.ts';
import { CONFIG_MAP, projectConfigMap } from './rig.ts';

export const NAMESPACE = 'default';

/** Each write carries a counter, which shows an object that goes back in time. */
export class World {
  readonly #judge: KubeClient;
  readonly #name: string;
  #writes = 0;

  /** `name` tells the objects of this history from those of all others. */
  constructor(judge: KubeClient, name: string) {
    this.#judge = judge;
    this.#name = name;
  }

  /** Selects the objects of this history. */
  get label(): string {
    return `history=${this.#name}`;
  }

  async write(key: number): Promise<string> {
    this.#writes += 1;
    const name = `${this.#name}-${key}`;
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: NAMESPACE, labels: { history: this.#name } },
      data: { text: String(this.#writes) },
    };
    await insist(this.#judge, () =>
      this.#judge.apply(CONFIG_MAP, { namespace: NAMESPACE, name }, object, { fieldManager: 'judge' }),
    );
    return `write ${key}`;
  }

  async delete(key: number): Promise<string> {
    try {
      const name = `${this.#name}-${key}`;
      await insist(this.#judge, () => this.#judge.delete(CONFIG_MAP, { namespace: NAMESPACE, name }));
    } catch (error) {
      if (!(error instanceof KubeApiError && error.isNotFound)) throw error;
    }
    return `delete ${key}`;
  }

  /** What is there, as text by key. */
  async present(): Promise<ReadonlyMap<string, string>> {
    const { items } = await insist(this.#judge, () =>
      this.#judge.listAll(CONFIG_MAP, { namespace: NAMESPACE, labelSelector: this.label }),
    );
    return new Map(
      items.map(projectConfigMap).map(({ namespace, name, text }) => [`${namespace}/${name}`, text]),
    );
  }

  /** Removes all of it. */
  async clear(): Promise<void> {
    const path = resourcePath(CONFIG_MAP, { namespace: NAMESPACE });
    await insist(this.#judge, () =>
      this.#judge.raw({ method: 'DELETE', path, query: { labelSelector: this.label } }),
    );
  }
}
