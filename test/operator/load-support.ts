// What a Pacto reads whose contract comes from a registry, as the operator puts it together.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { findCondition } from '../../api/conditions.ts';
import type { JudgedPacto } from '../../operator/controllers/pacto/judge-pacto.ts';
import { PactoContracts } from '../../operator/pacto-contracts.ts';
import type { PullSecretReader } from '../../operator/pull-secret-reader.ts';
import { systemClock } from '../../runtime/clock.ts';
import type { Rig } from '../contract/loader-support.ts';
import { GOOD, judge, pactoOf, SPEC } from './views.ts';

const NO_SECRET: PullSecretReader = () => Promise.reject(new Error('no secret is asked for'));

/** What a Pacto with this contract reads, however long its contract takes to come. */
export async function judged(
  t: TestContext,
  { loader }: Pick<Rig, 'loader'>,
  contractRef: { readonly oci: string; readonly pullSecretRef?: string },
  pullSecrets: PullSecretReader = NO_SECRET,
): Promise<JudgedPacto> {
  const parts = { spec: { ...SPEC, contractRef } };
  const contracts = new PactoContracts({ loader, pullSecrets, timers: systemClock.timers });
  for (;;) {
    const woken = Promise.withResolvers<undefined>();
    const wake = (): void => woken.resolve(undefined);
    const outcome = await contracts.obtain(pactoOf(parts), { signal: t.signal, wake });
    if (outcome !== undefined) return judge(outcome, GOOD, parts);
    await woken.promise;
  }
}

export function assertUnknown({ status, end }: JudgedPacto, message: RegExp): void {
  const valid = findCondition(status.conditions, 'ContractValid');
  assert.deepEqual(
    [status.contractStatus, valid?.status, valid?.reason],
    ['Unknown', 'Unknown', 'Unavailable'],
  );
  assert.match(valid?.message ?? '', message);
  assert.equal(status.validation, undefined);
  assert.equal(end.kind === 'failed' && end.message, valid?.message);
}

export function assertInvalid({ status }: JudgedPacto, message: RegExp): void {
  const valid = findCondition(status.conditions, 'ContractValid');
  assert.deepEqual([status.contractStatus, valid?.status, valid?.reason], ['Invalid', 'False', 'Invalid']);
  assert.match(valid?.message ?? '', message);
  assert.equal(status.validation?.valid, false);
}
