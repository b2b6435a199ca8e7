// Rule 11 of gate 1.3: whether a verdict is about what is to be promoted, and about what runs.
import { test } from 'node:test';
import type { Decision } from '../../gate/decision.ts';
import { type Rules } from '../../gate/rules.ts';
import { type Verdict } from '../../gate/verdict.ts';
import { expectDecision, judged, verdict } from './decisions.ts';

const images = (...list: [string, boolean][]): Rules['revision'] => ({
  kind: 'sameImages',
  images: list.map(([image, changed]) => ({ image, changed, container: 'main' as const })),
});

test('gate/R11 a verdict about other images holds', () => {
  const one = verdict();
  expectDecision(judged(one, { revision: images(['registry.test/api:1', true]) }), 'allow');
  expectDecision(judged(one, { revision: images(['registry.test/api:2', true]) }), 'hold', 'WrongRevision');
  expectDecision(judged(one, { revision: images(['registry.test/api:2', false]) }), 'hold', 'WrongRevision');
  expectDecision(
    judged(one, { revision: images(['registry.test/api:1', true], ['registry.test/logs:9', false]) }),
    'allow',
  );
  expectDecision(judged(one, { revision: images(['registry.test/logs:9', true]) }), 'hold', 'WrongRevision');
  expectDecision(
    judged(verdict({ status: { observedRuntime: undefined } }), {
      revision: images(['registry.test/api:1', true]),
    }),
    'hold',
    'WrongRevision',
  );
});

test('gate/R11 an image pinned by digest is judged by its digest', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const seen = verdict({
    status: {
      observedRuntime: {
        containerImages: ['registry.test:5000/api:1'],
        imageDigests: [{ image: 'registry.test:5000/api:1', digest }],
      },
    },
  });
  expectDecision(judged(seen, { revision: images([`registry.test:5000/api@${digest}`, true]) }), 'allow');
  const other = `registry.test:5000/api@sha256:${'b'.repeat(64)}`;
  expectDecision(judged(seen, { revision: images([other, true]) }), 'hold', 'WrongRevision');
});

const running = (
  generation: number,
  rolledOut: boolean,
  ...runs: string[]
): NonNullable<Verdict['running']> => ({
  generation,
  rolledOut,
  images: runs.length === 0 ? ['registry.test/api:1'] : runs,
});

test('gate/R11 a workload that rolls, changed after it was judged, or is gone holds', () => {
  const revision = images(['registry.test/api:1', true]);
  const base = verdict();
  const ask = (now: Verdict['running']): Decision =>
    judged(now === undefined ? base : { ...base, running: now }, { revision });
  expectDecision(ask(running(1, true)), 'allow');
  expectDecision(ask(running(1, false)), 'hold', 'RolloutIncomplete');
  expectDecision(ask(running(2, true)), 'hold', 'RolloutIncomplete');
  expectDecision(ask({ kind: 'gone' }), 'hold', 'WrongRevision');
});

test('gate/R11 a verdict made in the middle of a rollout holds, also when the rollout has ended since', () => {
  const status = {
    observedRuntime: {
      containerImages: ['registry.test/api:1'],
      workloadGeneration: 1,
      rolloutComplete: false,
    },
  };
  const half = verdict({ status });
  const revision = images(['registry.test/api:1', true]);
  expectDecision(judged({ ...half, running: running(1, true) }, { revision }), 'hold', 'RolloutIncomplete');
  expectDecision(judged(half, { revision }), 'hold', 'RolloutIncomplete');
});

test('gate/R11 a verdict without a generation is compared with what runs by its images', () => {
  const upstream = verdict({ status: { observedRuntime: { containerImages: ['registry.test/api:1'] } } });
  const revision = images(['registry.test/api:1', true]);
  expectDecision(judged({ ...upstream, running: running(9, true) }, { revision }), 'allow');
  expectDecision(
    judged({ ...upstream, running: running(9, true, 'registry.test/api:2') }, { revision }),
    'hold',
    'RolloutIncomplete',
  );
});

test('gate/R11 init images count where the verdict states them', () => {
  const init = (image: string): Rules['revision'] => ({
    kind: 'sameImages',
    images: [{ image, changed: true, container: 'init' }],
  });
  const runtime = {
    containerImages: ['registry.test/api:1'],
    initContainerImages: ['registry.test/init:1'],
    workloadGeneration: 1,
  };
  const ours = verdict({ status: { observedRuntime: runtime } });
  expectDecision(judged(ours, { revision: init('registry.test/init:1') }), 'allow');
  expectDecision(judged(ours, { revision: init('registry.test/init:2') }), 'hold', 'WrongRevision');
  const none = verdict();
  expectDecision(judged(none, { revision: init('registry.test/init:1') }), 'hold', 'WrongRevision');
  const upstream = verdict({ status: { observedRuntime: { containerImages: ['registry.test/api:1'] } } });
  expectDecision(judged(upstream, { revision: init('registry.test/init:1') }), 'allow');
});
