// The demo plays to its end, says what it shortened, and fails as a whole when one claim does not hold.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { finished } from '../helpers/finished.ts';
import { skipLacking } from '../helpers/machine-lacks.ts';
import { nodeLack } from '../tools/node-lack.ts';
import { Narrator, StoryError } from './narrator.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

async function play(
  words: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly code: number | string; readonly text: string }> {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, stdout, stderr } = await finished(child);
  return { code, text: stdout + stderr };
}

test('demo/ every claim holds on a real control plane and a real node', async (t) => {
  const lack = await nodeLack();
  if (lack !== undefined) return skipLacking(t, lack);
  const { code, text } = await play();
  assert.equal(code, 0, text);
  assert.match(text, /a node with kubelet and containerd runs the pods/);
  assert.equal([...text.matchAll(/✓/g)].length, 14, text);
});

test('demo/ without a node it says why, and every claim holds on the stub kubelet', async () => {
  const { code, text } = await play([], { PACTO_GATE_NODE: '0' });
  assert.match(text, /by the stub kubelet: this machine lacks permission to run a real node/);
  assert.equal(code, 0, text);
  assert.match(text, /--stabilization-window 10s \(usually 2m, shortened for the demo\)/);
  assert.match(text, /all claims held/);
  assert.equal([...text.matchAll(/✓/g)].length, 12, text);
});

test('demo/ a window that is none, or too short to be seen, is refused with the flag', async () => {
  for (const window of ['soon', '1s']) {
    const { code, text } = await play(['--stabilization-window', window]);
    assert.equal(code, 2);
    assert.match(text, /--stabilization-window ".*": give a duration from 5s on/);
  }
});

test('demo/ a claim that does not hold ends the story and says what was found', () => {
  const told: string[] = [];
  const tell = new Narrator((text) => void told.push(text));
  tell.scene('one');
  tell.claim('this holds', true, 'so');
  assert.throws(
    () => tell.claim('this does not', false, 'the opposite'),
    (error: Error) => {
      assert.ok(error instanceof StoryError);
      assert.equal(error.message, 'scene 1: this does not; found: the opposite');
      return true;
    },
  );
  assert.match(told.join(''), /✗.* this does not\n\s+found: the opposite/);
});
