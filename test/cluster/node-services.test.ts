// Services of a real node: by their names and cluster IPs, from pods and from programs in the node's network.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { skipLacking } from '../helpers/machine-lacks.ts';
import { nodeLack } from '../tools/node-lack.ts';
import { proxyLack } from '../tools/proxy-lack.ts';
import { refusal } from './client.ts';
import { insideNode, reachedInside } from './inside-node.ts';
import { at, textAt } from './kube-object.ts';
import { createNamespace } from './namespace.ts';
import { runPod } from './node-pod.ts';
import { sharedNode, type SharedNode } from './shared-cluster.ts';
import { waitUntil } from './wait-until.ts';

const lack = await proxyLack();

async function createService(
  cluster: SharedNode,
  namespace: string,
  name: string,
  spec: object,
): Promise<string> {
  const answer = await cluster.admin.create(`/api/v1/namespaces/${namespace}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec,
  });
  if (answer.code !== 201) throw refusal(`Service ${name}`, answer);
  return textAt(answer.body, 'spec', 'clusterIP');
}

/** What a program of the machine that runs inside the node writes. */
async function inside(cluster: SharedNode, script: string, ...words: readonly string[]): Promise<string> {
  const [program = '', ...before] = insideNode(cluster);
  const { stdout } = await promisify(execFile)(program, [
    ...before,
    process.execPath,
    '-e',
    script,
    ...words,
  ]);
  return stdout.trim();
}

const LOOKUP = `require('dns').lookup(process.argv[1], (e, a) => console.log(e ? e.code : a))`;

test('node/ Services are reached by name and cluster IP, from a pod and from a program inside the node', async (t) => {
  if (lack !== undefined) return skipLacking(t, lack);
  const cluster = await sharedNode();
  const namespace = await createNamespace(t, cluster, 'services');
  const pod = await runPod(cluster, { namespace, name: 'web', node: cluster.node.name });
  const podIP = textAt(pod, 'status', 'podIP');
  const selector = { app: 'web' };
  const ports = [{ port: 80, targetPort: 8080 }];
  const clusterIP = await createService(cluster, namespace, 'front', { selector, ports });
  await createService(cluster, namespace, 'bare', { selector, ports, clusterIP: 'None' });
  const host = `front.${namespace}.svc`;
  await reachedInside(cluster, host, 80);
  const fetched = `fetch(process.argv[1]).then((r) => r.text()).then(console.log)`;
  assert.match(await inside(cluster, fetched, `http://${host}/`), /^web 1 HTTP\/1\.1/);
  assert.equal(await inside(cluster, LOOKUP, host), clusterIP);
  assert.equal(await inside(cluster, LOOKUP, `${host}.cluster.local`), clusterIP);
  assert.equal(await inside(cluster, LOOKUP, `bare.${namespace}.svc`), podIP);
  assert.equal(await inside(cluster, LOOKUP, `none.${namespace}.svc`), 'ENOTFOUND');
  const peer = 'http,front:80'; // as pods of its own namespace call it
  const control = `http://${podIP}:9090`;
  await fetch(`${control}/peer?to=${peer}`, { method: 'PUT' });
  await waitUntil('a pod to reach the Service by its name', async () => {
    const state: unknown = await (await fetch(`${control}/`)).json();
    return Number(at(state, 'peers', peer, 'ok')) > 0;
  });
});

test('node/ a program inside the node sees the machine’s files, but for the two that say how names are found', async (t) => {
  if (lack !== undefined) return skipLacking(t, lack);
  const cluster = await sharedNode();
  const read = `process.stdout.write(require('fs').readFileSync(process.argv[1]))`;
  const before = await readFile('/etc/resolv.conf', 'utf8');
  assert.match(
    await inside(cluster, read, '/etc/resolv.conf'),
    new RegExp(`^nameserver ${cluster.node.ip}$`, 'm'),
  );
  assert.equal(await readFile('/etc/resolv.conf', 'utf8'), before);
  assert.equal(
    await inside(cluster, read, '/proc/version'),
    (await readFile('/proc/version', 'utf8')).trim(),
  );
  assert.equal(
    await inside(cluster, `console.log(process.pid === Number(require('fs').readlinkSync('/proc/self')))`),
    'true',
  );
});

test('node/ where nft is not found it is what Services lack, unless it is a node', async () => {
  const env = { ...process.env, PATH: '/nonexistent' };
  assert.equal(await proxyLack(env), (await nodeLack(env)) ?? 'nft');
});
