// Does something to a server that may be restarted just now, again and again until it is done.
import { KubeApiError } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { KubeConnectionError } from '../../kube/transport.ts';

const MAX_TRIES = 20;

/** `work` may be done twice. Rejects with a refusal that no restart explains, and with the last of many failures. */
export async function insist<T>(client: KubeClient, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const passing =
        error instanceof KubeConnectionError || (error instanceof KubeApiError && error.status >= 500);
      if (!passing || tries >= MAX_TRIES) throw error;
      await client.gate.pass(new AbortController().signal);
    }
  }
}
