// When a changed verdict is told as an Event, row by row of controller 11.4.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContractStatus } from '../../api/contract-status.ts';
import {
  type ContractEvent,
  contractEvent,
  type PassEnd,
} from '../../operator/controllers/pacto/contract-event.ts';

const NONE = { errorCount: 0, warningCount: 0, infoCount: 0, unknownCount: 0 };

const finished = (status: ContractStatus, counts: Partial<typeof NONE> = {}): PassEnd => ({
  kind: 'finished',
  status,
  summary: { ...NONE, ...counts },
});
const failed = (status: 'Invalid' | 'Unknown', message = 'why'): PassEnd => ({
  kind: 'failed',
  status,
  message,
});

type Row = readonly [string, ContractStatus | undefined, PassEnd, ContractEvent | undefined];

const ROWS: readonly Row[] = [
  [
    'controller/55 empty to NonCompliant',
    undefined,
    finished('NonCompliant', { errorCount: 2, warningCount: 1 }),
    {
      type: 'Warning',
      reason: 'ValidationFailed',
      message: 'ContractStatus: NonCompliant, 2 errors, 1 warnings',
    },
  ],
  ['controller/56 NonCompliant stays', 'NonCompliant', finished('NonCompliant'), undefined],
  [
    'controller/57 Warning to NonCompliant',
    'Warning',
    finished('NonCompliant', { errorCount: 1 }),
    {
      type: 'Warning',
      reason: 'ValidationFailed',
      message: 'ContractStatus: NonCompliant, 1 errors, 0 warnings',
    },
  ],
  [
    'controller/58 NonCompliant to Compliant',
    'NonCompliant',
    finished('Compliant'),
    {
      type: 'Normal',
      reason: 'ContractRecovered',
      message: 'ContractStatus: Compliant, 0 errors, 0 warnings',
    },
  ],
  [
    'controller/59 Invalid to Reference',
    'Invalid',
    finished('Reference'),
    {
      type: 'Normal',
      reason: 'ContractRecovered',
      message: 'ContractStatus: Reference, 0 errors, 0 warnings',
    },
  ],
  ['controller/60 Compliant stays', 'Compliant', finished('Compliant'), undefined],
  ['controller/60 empty to Compliant', undefined, finished('Compliant'), undefined],
  [
    'controller/61 Compliant to Invalid',
    'Compliant',
    failed('Invalid', 'broken'),
    { type: 'Warning', reason: 'ContractInvalid', message: 'broken' },
  ],
  ['controller/62 Unknown stays, contract unavailable', 'Unknown', failed('Unknown'), undefined],
  [
    'controller/63 Unknown by evidence, then by registry',
    'Unknown',
    failed('Unknown', 'registry down'),
    undefined,
  ],
  [
    'controller/64 first judgement is Unknown',
    undefined,
    finished('Unknown'),
    { type: 'Warning', reason: 'ValidationFailed', message: 'ContractStatus: Unknown, 0 errors, 0 warnings' },
  ],
  [
    'controller/71 steady NonCompliant',
    'NonCompliant',
    finished('NonCompliant', { errorCount: 1 }),
    undefined,
  ],
];

for (const [name, previous, end, expected] of ROWS) {
  test(name, () => assert.deepEqual(contractEvent(previous, end), expected));
}
