// Finds the path of an object by asking the server which resource its kind belongs to.
import type { TestClient } from './client.ts';
import { at, type KubeObject, listAt, textAt } from './kube-object.ts';

type Resource = { readonly plural: string; readonly namespaced: boolean };

/** Paths by kind, asked once for each group and version and again for a kind that is not known yet. */
export class ResourcePaths {
  readonly #client: TestClient;
  readonly #resources = new Map<string, Resource>();

  constructor(client: TestClient) {
    this.#client = client;
  }

  /**
   * @param namespace for a namespaced object that names none
   * @throws Error when the object lacks a name, or the server does not know its kind
   */
  async pathOf(object: KubeObject, namespace: string): Promise<string> {
    const { apiVersion = '', kind = '', metadata } = object;
    if (!metadata?.name) throw new Error(`an object of kind ${kind || 'unknown'} has no metadata.name`);
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const key = `${apiVersion} ${kind}`;
    if (!this.#resources.has(key)) await this.#discover(root, apiVersion);
    const resource = this.#resources.get(key);
    if (resource === undefined) throw new Error(`the server knows no ${kind} in ${apiVersion}`);
    const scope = resource.namespaced ? `/namespaces/${metadata.namespace ?? namespace}` : '';
    return `${root}${scope}/${resource.plural}/${metadata.name}`;
  }

  async #discover(root: string, apiVersion: string): Promise<void> {
    const { code, body } = await this.#client.get(root);
    if (code !== 200)
      throw new Error(
        `asking ${root} for its kinds was refused (${code}): ${JSON.stringify(body).slice(0, 300)}`,
      );
    for (const resource of listAt(body, 'resources')) {
      const plural = textAt(resource, 'name');
      if (plural.includes('/')) continue; // a subresource
      const namespaced = at(resource, 'namespaced') === true;
      this.#resources.set(`${apiVersion} ${textAt(resource, 'kind')}`, { plural, namespaced });
    }
  }
}
