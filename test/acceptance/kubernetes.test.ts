// The stories are told on the minor of Kubernetes that was asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textAt } from '../cluster/kube-object.ts';
import { sharedPods } from '../cluster/shared-pods.ts';

test('acceptance/kubernetes API server and kubelet are of the minor that was asked for', async () => {
  const { admin, pods } = await sharedPods();
  const minor = process.env['PACTO_GATE_KUBERNETES'] || '1.37';
  const { body } = await admin.get('/version');
  assert.equal(`${textAt(body, 'major')}.${textAt(body, 'minor')}`, minor);
  if (pods.runBy === 'stub') return;
  const nodes = (await admin.list('/api/v1/nodes')).body.items;
  assert.deepEqual(
    nodes.map((node) => textAt(node, 'status', 'nodeInfo', 'kubeletVersion').split('.', 2).join('.')),
    [`v${minor}`],
  );
});
