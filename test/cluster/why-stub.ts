// Says why pods are not run by a real kubelet, where they are not.
import { lacks } from '../helpers/machine-lacks.ts';
import { nodeLack } from '../tools/node-lack.ts';

/** Why the stub kubelet takes over, as a sentence; undefined when a real node can run. */
export async function whyStub(): Promise<string | undefined> {
  const lack = await nodeLack();
  return lack && `pods are only said to run, by the stub kubelet: ${lacks(lack)}`;
}
