// The schema of the language as code: made from the published schema, and saying the same as the schema itself.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PACTO_SCHEMA } from '../../contract/l1.ts';
import { validatePacto } from '../../contract/pacto-validator.ts';

test('it is what its generator writes', async () => {
  const generator = fileURLToPath(new URL('../../tools/pacto-validator.ts', import.meta.url));
  const child = spawn(process.execPath, [generator, '--check'], { stdio: ['ignore', 'inherit', 'inherit'] });
  assert.deepEqual(await once(child, 'close'), [0, null]);
});

test('lengths count code points, as in the schema', () => {
  const claim = { id: 'a', type: 'url', status: 'done', weight: 1 };
  const document = (evidence: string): object => ({
    pactoVersion: '2.0',
    service: { name: 'svc', version: '1.0.0' },
    readiness: { expires: '2030-01-01', claims: [{ ...claim, evidence }] },
  });
  const compiled = new Ajv2020({ strict: false, validateFormats: false }).compile(PACTO_SCHEMA);
  for (const [evidence, valid] of [
    ['😀'.repeat(2_048), true],
    ['😀'.repeat(2_049), false],
  ] as const) {
    assert.equal(validatePacto(document(evidence)), valid);
    assert.equal(compiled(document(evidence)), valid);
  }
});
