// Applies manifests as a user would: several documents of YAML, in their order, by server-side apply.
import { parseAllDocuments } from 'yaml';
import { refusal, type TestClient } from './client.ts';
import { applyCrd } from './crds.ts';
import type { KubeObject } from './kube-object.ts';
import { ResourcePaths } from './resource-paths.ts';

export type ManifestOptions = {
  /** Namespace of namespaced objects that name none. Default: `default`. */
  readonly namespace?: string;
  /** Default: `test`. */
  readonly fieldManager?: string;
};

/**
 * Applies every document of the text and returns the objects as the server has them then. Lists are taken apart. A CRD is
 * waited for, so that its objects may follow in the same text.
 * @throws Error at the first document that is no YAML, or that the server refuses, with the server's words
 */
export async function applyManifests(
  client: TestClient,
  text: string,
  { namespace = 'default', fieldManager = 'test' }: ManifestOptions = {},
): Promise<readonly KubeObject[]> {
  const paths = new ResourcePaths(client);
  const applied: KubeObject[] = [];
  for (const object of objectsOf(text)) {
    if (object.kind === 'CustomResourceDefinition') {
      await applyCrd(client, object);
      continue;
    }
    const path = await paths.pathOf(object, namespace);
    const answer = await client.apply(path, object, { fieldManager });
    if (answer.code >= 300) throw refusal(path, answer);
    applied.push(answer.body);
  }
  return applied;
}

function objectsOf(text: string): KubeObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw error;
    const object = document.toJS() as KubeObject | null;
    if (object === null) return [];
    return object.kind === 'List' && Array.isArray(object['items']) ? object['items'] : [object];
  });
}
