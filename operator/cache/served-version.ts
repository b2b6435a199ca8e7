// In which version an API server serves a kind that it may serve in several or not at all, from what it says about itself.
import * as read from '../../api/read.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { ResourceType } from '../../kube/resource.ts';

export type ServedVersion =
  | { readonly kind: 'served'; readonly type: ResourceType }
  /** In these versions, none of which is understood here. */
  | { readonly kind: 'foreign'; readonly versions: readonly string[] }
  /** The API server listed all it has, and the kind is not among it. */
  | { readonly kind: 'none' };

const REQUEST_MS = 10_000;

/**
 * The first of `versions`, which are one kind, that is served. Rejects as the client does, and with a TypeError when what
 * came is no word of an API server about itself: a 404 of something in between must not read as "there is none".
 */
export async function servedVersion(
  client: Pick<KubeClient, 'raw'>,
  [best, ...older]: readonly [ResourceType, ...ResourceType[]],
  signal: AbortSignal,
): Promise<ServedVersion> {
  const ask = async (path: string, kind: string): Promise<unknown> => {
    const answer = await client.raw({ method: 'GET', path }, { signal, timeoutMs: REQUEST_MS });
    if (read.string(answer, 'kind') !== kind) throw new TypeError(`${path} is not answered by a ${kind}`);
    return answer;
  };
  const groups = read.list(await ask('/apis', 'APIGroupList'), 'groups');
  const group = groups.find((each) => read.string(each, 'name') === best.group);
  const offered = read.list(group, 'versions').flatMap((each) => read.string(each, 'version') ?? []);
  const hasKind = async (version: string): Promise<boolean> => {
    const resources = read.list(await ask(`/apis/${best.group}/${version}`, 'APIResourceList'), 'resources');
    return resources.some((each) => read.string(each, 'name') === best.plural);
  };
  const understood = [best, ...older].filter(({ version }) => offered.includes(version));
  for (const type of understood) if (await hasKind(type.version)) return { kind: 'served', type };
  const others: string[] = [];
  for (const version of offered) {
    if (understood.every((type) => type.version !== version) && (await hasKind(version)))
      others.push(version);
  }
  return others.length === 0 ? { kind: 'none' } : { kind: 'foreign', versions: others };
}
