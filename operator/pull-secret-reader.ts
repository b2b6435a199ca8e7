// Pull secrets, read one by one when they are needed: no list, no watch, no cache, so that no Secret but those a Pacto names
// ever reaches this process (controller.md 2.3).
import * as read from '../api/read.ts';
import type { PullSecret } from '../contract/registry/pull-secret.ts';
import type { KubeClient } from '../kube/client.ts';
import { SECRETS } from './resources.ts';

export type ReadPullSecret =
  | { readonly kind: 'found'; readonly secret: PullSecret }
  /** Names the Secret and why it could not be read; never a value. */
  | { readonly kind: 'unusable'; readonly message: string };

/** Rejects only with the reason of the signal. */
export type PullSecretReader = (
  ref: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
) => Promise<ReadPullSecret>;

/** Names as the API server takes them; anything else must not become part of a path. */
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

export function pullSecretReader(client: Pick<KubeClient, 'get'>): PullSecretReader {
  return async ({ namespace, name }, signal) => {
    if (!NAME.test(name)) return notFound(name, 'no Secret can have this name');
    try {
      const object = await client.get(SECRETS, { namespace, name }, { signal });
      const type = read.string(object, 'type');
      const data = read.stringMap(object, 'data');
      return { kind: 'found', secret: { name, data, ...(type === undefined ? {} : { type }) } };
    } catch (error) {
      signal.throwIfAborted();
      return notFound(name, error instanceof Error ? error.message : String(error));
    }
  };
}

function notFound(name: string, cause: string): ReadPullSecret {
  return { kind: 'unusable', message: `secret ${JSON.stringify(name)} not found: ${cause}` };
}
