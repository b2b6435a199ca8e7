// Informer: reads a kind in full, follows it, answers by key and by index, and tells listeners.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CacheChange } from '../../kube/cache.ts';
import { ScriptedApiServer } from '../faults/scripted-api-server.ts';
import { configMap, converged, eventually, type Projection, rig, runInformer, SCOPE } from './rig.ts';

for (const protocol of ['h2', 'http1', 'plain'] as const) {
  for (const lists of ['served', 'refused'] as const) {
    test(`informer/follows a kind over ${protocol}, streaming lists ${lists}`, async (t) => {
      const server = await ScriptedApiServer.start(protocol);
      t.after(() => server.close());
      server.streamingLists = lists;
      for (let i = 0; i < 250; i += 1) server.store.write(SCOPE, 'create', configMap(`a-${i}`, `${i}`));
      await using r = rig(server);
      await using running = runInformer(r, { indexes: { byText: ({ text }) => [text] } });
      const { informer } = running;
      assert.deepEqual(informer.lookup('default/a-0').kind, 'unreadable');
      await informer.whenSettled(t.signal);
      await converged(informer, server);
      const changes: CacheChange<Projection>[] = [];
      informer.subscribe((change) => changes.push(change));
      server.store.write(SCOPE, 'create', configMap('b', 'x'));
      server.store.write(SCOPE, 'replace', configMap('b', 'y'));
      server.store.delete(SCOPE, 'a-0');
      await eventually(() => changes.length === 3, 'three changes');
      assert.deepEqual(
        changes.map(({ kind, key }) => `${kind} ${key}`),
        ['added default/b', 'updated default/b', 'deleted default/a-0'],
      );
      await converged(informer, server);
      assert.equal(informer.lookup('default/a-0').kind, 'absent');
      const found = informer.byIndex('byText', 'y');
      assert.deepEqual(found.kind === 'found' && found.value.map(({ name }) => name), ['b']);
      assert.deepEqual(informer.byIndex('byText', 'x'), { kind: 'found', value: [] });
      assert.equal(server.lists('configmaps') > 0, true);
    });
  }
}
