// The limiter: never more than the limit, everybody served, in order, also after failures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Limiter } from '../../operator/probes/limiter.ts';

test('no more run at once than the limit, and all run in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 20 }),
      async (limit, works) => {
        const limiter = new Limiter(limit);
        const started: number[] = [];
        let running = 0;
        const results = await Promise.allSettled(
          works.map(([turns, fails], index) =>
            limiter.run(async () => {
              started.push(index);
              running += 1;
              assert.ok(running <= limit);
              for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
              running -= 1;
              if (fails) throw new Error('failed');
              return index;
            }),
          ),
        );
        assert.deepEqual(
          started,
          works.map((_, index) => index),
        );
        assert.deepEqual(
          results.map(({ status }) => status === 'rejected'),
          works.map(([, fails]) => fails),
        );
      },
    ),
  );
});
