// Readiness scores: the worked examples of the specification at 2026-06-08 12:00 UTC.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClaimStatus, ContractReadiness } from '../../contract/model.ts';
import { assessReadiness, readinessCondition, readinessStatus } from '../../evaluation/readiness.ts';

const NOW = Date.UTC(2026, 5, 8, 12, 0, 0);

function declared(claims: string, settings: Partial<ContractReadiness> = {}): ContractReadiness {
  const entries = claims.split(', ').map((text, index) => {
    const [status = '', weight = '0'] = text.split(' ');
    return {
      id: `c${index}`,
      type: 'url',
      status: status as ClaimStatus,
      evidence: 'x',
      weight: Number(weight),
    };
  });
  return { expires: '2027-01-01', claims: entries, history: [], ...settings };
}

function scored(claims: string, settings?: Partial<ContractReadiness>): readonly unknown[] {
  const result = assessReadiness(declared(claims, settings), NOW);
  return [result?.totalWeight, result?.earnedWeight, result?.score, result?.passing];
}

const ROWS: readonly (readonly [string, string, Partial<ContractReadiness>, readonly unknown[]])[] = [
  ['A', 'done 30, partial 20, not-done 10, deferred 40', { minScore: 80 }, [60, 40, 67, false]],
  ['B', 'done 30, partial 20, deferred 40', { minScore: 80 }, [50, 40, 80, true]],
  ['C', 'partial 40', { minScore: 0, partialCredit: 0.25 }, [40, 10, 25, true]],
  ['D', 'done 100', { minScore: 0, expires: '2026-01-01' }, [100, 0, 0, false]],
  ['E', 'deferred 50', {}, [0, 0, 0, false]],
  ['F', 'deferred 50', { minScore: 0 }, [0, 0, 0, true]],
  ['G', 'done 20, partial 15, not-done 25, deferred 10', { minScore: 80 }, [60, 28, 47, false]],
  ['H', 'partial 1, partial 1, partial 1', {}, [3, 3, 100, true]],
  ['I', 'done 0', {}, [0, 0, 0, false]],
  ['J', 'partial 50, not-done 50', { partialCredit: 0.29 }, [100, 14, 14, false]],
  ['K', 'done 57, not-done 100, not-done 43', { minScore: 0 }, [200, 57, 28, true]],
  ['L', 'done 10', { expires: '2026-06-08' }, [10, 10, 100, true]],
  ['M', 'done 10', { expires: '2026-13-40' }, [10, 0, 0, false]],
  ['N', 'done 2, not-done 1', { minScore: 67 }, [3, 2, 67, true]],
];

for (const [row, claims, settings, expected] of ROWS) {
  test(`contract/142 example ${row}: ${claims}`, () => {
    assert.deepEqual(scored(claims, settings), expected);
  });
}

test('contract/141 nothing claimed, no result', () => {
  assert.equal(assessReadiness(undefined, NOW), undefined);
  assert.equal(assessReadiness({ expires: '2027-01-01', claims: [], history: [] }, NOW), undefined);
});

test('contract/143 defaults: the score must be 100 and partial earns half', () => {
  assert.deepEqual(scored('partial 40'), [40, 20, 50, false]);
});

test('contract/144 a deferred claim is excluded, a done one keeps its texts', () => {
  const claims = [
    { id: 'a', type: 'url', status: 'deferred', evidence: 'x', weight: 5 },
    { id: 'b', type: 'url', status: 'done', evidence: 'y', weight: 5, category: 'testing', description: 'd' },
  ] as const;
  const result = assessReadiness({ expires: '2027-01-01', claims, history: [] }, NOW);
  assert.deepEqual(result?.claims, [
    { id: 'a', type: 'url', status: 'deferred', evidence: 'x', weight: 5, earnedWeight: 0, excluded: true },
    {
      id: 'b',
      type: 'url',
      category: 'testing',
      status: 'done',
      evidence: 'y',
      description: 'd',
      weight: 5,
      earnedWeight: 5,
    },
  ]);
});

test('controller/140 done 60, partial 20, deferred 20', () => {
  const result = assessReadiness(declared('done 60, partial 20, deferred 20'), NOW);
  assert.ok(result !== undefined);
  assert.deepEqual([result.score, result.totalWeight, result.earnedWeight], [88, 80, 70]);
  assert.deepEqual(
    [result.doneCount, result.partialCount, result.notDoneCount, result.deferredCount],
    [1, 1, 0, 1],
  );
  assert.deepEqual(readinessCondition(result, 3), {
    type: 'ReadinessSatisfied',
    status: 'False',
    reason: 'BelowMinScore',
    message: 'readiness score 88 below minScore 100 (1 done, 1 partial, 0 not-done, 1 deferred)',
    observedGeneration: 3,
  });
});

test('controller/141 past its day or no day: expired', () => {
  for (const expires of ['2026-06-07', 'someday']) {
    const result = assessReadiness(declared('done 1', { expires }), NOW);
    assert.ok(
      result !== undefined && result.expired && result.score === 0 && result.daysRemaining === undefined,
    );
    const { reason, message } = readinessCondition(result, undefined);
    assert.deepEqual(
      [reason, message],
      ['Expired', `readiness assessment expired (expires ${expires}); score 0 below minScore 100`],
    );
  }
});

test('days remaining: none left on the last day, which is written', () => {
  const days = (expires: string): number | undefined =>
    assessReadiness(declared('done 1', { expires }), NOW)?.daysRemaining;
  assert.deepEqual(['2026-06-08', '2026-06-09', '2027-06-08'].map(days), [0, 1, 365]);
  const last = assessReadiness(declared('done 1', { expires: '2026-06-08' }), NOW);
  assert.ok(last !== undefined);
  const status = readinessStatus(last);
  assert.equal(status.daysRemaining, 0);
  assert.ok(!('partialCount' in status) && !('expired' in status));
  assert.equal(readinessCondition(last, 1).message, 'readiness score 100 meets minScore 100');
});
