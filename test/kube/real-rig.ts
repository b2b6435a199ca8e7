// A client to a real API server, made as the products make theirs; optionally through a proxy that breaks connections.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { KubeClient } from '../../kube/client.ts';
import { loadClusterConfig } from '../../kube/config.ts';
import { readMeta } from '../../kube/object-meta.ts';
import type { UndiciTransportOptions } from '../../kube/undici-transport.ts';
import { CONFIG_MAP, type Rig, rigOf } from './rig.ts';

export async function realRig(
  kubeconfig: string,
  { server, ...options }: Partial<UndiciTransportOptions> & { readonly server?: string } = {},
): Promise<Rig> {
  const loaded = await loadClusterConfig({ kubeconfig, env: {} });
  return rigOf(server === undefined ? loaded : { ...loaded, server }, options);
}

/**
 * Drops the history of a cluster's store up to now: older versions are answered 410 where no watch cache has them. A
 * marker is written first and the store compacted at its revision, because compacting at the revision of a deletion
 * can take the deletion itself away from watches that begin right there. Whoever has heard of everything before the
 * marker's change cannot be told that change: etcd answers with an error, each time.
 */
export async function compactNow(etcd: string, client: KubeClient): Promise<void> {
  const marker = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'compaction-marker', namespace: 'default' },
  };
  const options = { fieldManager: 'compaction', conflicts: 'take' } as const;
  const ref = { namespace: 'default', name: marker.metadata.name };
  const written = await client.apply(CONFIG_MAP, ref, { ...marker, data: { at: randomUUID() } }, options);
  const revision = readMeta(written)?.resourceVersion;
  const response = await fetch(`${etcd}/v3/kv/compaction`, {
    method: 'POST',
    body: JSON.stringify({ revision, physical: true }),
  });
  // Somebody else may have compacted further meanwhile.
  assert.ok(response.ok || (await response.text()).includes('compacted'));
}
