// kube/README.md: the example shown is the one that runs, and it does what it says.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createNamespace } from '../cluster/namespace.ts';
import { sharedCluster } from '../cluster/shared-cluster.ts';
import { labelConfigMaps } from './readme-example.ts';
import { realRig } from './real-rig.ts';
import { CONFIG_MAP, configMap, eventually } from './rig.ts';

test('kube/README shows the example that is tested', async () => {
  const source = await readFile(new URL('readme-example.ts', import.meta.url), 'utf8');
  const readme = await readFile(new URL('../../kube/README.md', import.meta.url), 'utf8');
  const example = /\/\/ example:begin\n(.*?)\/\/ example:end/s.exec(source)?.[1];
  assert.ok(
    example !== undefined && readme.includes(example),
    'copy the part between the marks into the README',
  );
});

test('kube/README example labels what has no label, against a real API server', async (t) => {
  const cluster = await sharedCluster();
  const namespace = await createNamespace(t, cluster, 'example');
  await using r = await realRig(cluster.kubeconfig);
  for (let i = 0; i < 5; i += 1) await r.client.create(CONFIG_MAP, configMap(`m-${i}`, '', namespace));
  const stop = new AbortController();
  const done = labelConfigMaps(cluster.kubeconfig, stop.signal);
  const labelled = async (): Promise<number> =>
    (
      await r.client.listAll(CONFIG_MAP, {
        namespace,
        labelSelector: 'seen=yes',
        fieldSelector: 'metadata.name!=kube-root-ca.crt',
      })
    ).items.length;
  await eventually(async () => (await labelled()) === 5, 'all are labelled');
  await r.client.create(CONFIG_MAP, configMap('late', '', namespace));
  await eventually(async () => (await labelled()) === 6, 'the late one too');
  stop.abort();
  await done;
});
