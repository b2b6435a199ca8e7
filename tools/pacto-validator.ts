// Writes contract/pacto-validator.ts, the schema of the language as code, so that no start pays for compiling it; with
// --check says whether the file is fresh.
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import schema from '../contract/schema/pacto-2.0.schema.json' with { type: 'json' };
import { writeOrCheck } from './generated-file.ts';

const HEADER = `// Made from contract/schema/pacto-2.0.schema.json by tools/pacto-validator.ts. Change the schema and run \`make generate\`.
// biome-ignore-all format: generated code
/* oxlint-disable */
// @ts-nocheck

`;
/** The one thing the code would load; it counts code points. */
const COUNT = 'require("ajv/dist/runtime/ucs2length").default';

const engine = new Ajv2020({
  allErrors: true,
  strict: false,
  validateFormats: false,
  ownProperties: true,
  // Messages name what a failed keyword asked for.
  verbose: true,
  code: { source: true, esm: true, lines: true },
});
const code = standalone
  .default(engine, engine.compile(schema))
  .replace('"use strict";\n', '')
  .replace('export const validate = ', 'export const validatePacto = ')
  .replace(/^export default .*\n/m, '')
  .replaceAll(COUNT, '(text) => [...text].length');
if (code.includes('require(')) throw new Error('the code would load something; see tools/pacto-validator.ts');
writeOrCheck(new URL('../contract/pacto-validator.ts', import.meta.url), `${HEADER}${code.trimEnd()}\n`);
