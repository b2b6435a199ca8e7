// Brings CustomResourceDefinitions into a cluster and waits until the server serves them.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { refusal, type TestClient } from './client.ts';
import { at, conditionStatus, type KubeObject, listAt, textAt } from './kube-object.ts';
import { waitUntil } from './wait-until.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * Applies every CRD in the `*.yaml` files of a folder, in order of their names. A folder that is not there is empty.
 * @throws Error when the server refuses one, with its words
 */
export async function applyCrds(admin: TestClient, folder: string): Promise<void> {
  const definitions: KubeObject[] = [];
  for (const file of (await filesOf(folder)).filter((name) => name.endsWith('.yaml')).sort()) {
    for (const document of parseAllDocuments(await readFile(join(folder, file), 'utf8'))) {
      const object = document.toJS() as KubeObject | null;
      if (object !== null) definitions.push(object);
    }
  }
  await Promise.all(definitions.map((definition) => applyCrd(admin, definition)));
}

/** Applies one CRD; resolves when each version of it can be listed. */
export async function applyCrd(admin: TestClient, definition: KubeObject): Promise<void> {
  const name = definition.metadata?.name ?? '';
  const path = `${DEFINITIONS}/${name}`;
  const answer = await admin.apply(path, definition);
  if (answer.code >= 300) throw refusal(`CRD ${name}`, answer);
  await waitUntil(`CRD ${name} to be established`, async () => {
    return conditionStatus((await admin.get(path)).body, 'Established') === 'True';
  });
  for (const version of listAt(definition, 'spec', 'versions')) {
    if (at(version, 'served') !== true) continue;
    const group = textAt(definition, 'spec', 'group');
    const plural = textAt(definition, 'spec', 'names', 'plural');
    const list = `/apis/${group}/${textAt(version, 'name')}/${plural}`;
    await waitUntil(`${list} to be served`, async () => {
      return (await admin.list(list, { limit: 1 })).code === 200;
    });
  }
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
