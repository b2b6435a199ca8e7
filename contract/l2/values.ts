// Declared configuration values against their schema (contract.md 6.1).
import type { ContractConfiguration } from '../model.ts';
import type { Check, CheckContext } from './context.ts';

export const configurationValues: Check = (context) => {
  for (const [index, configuration] of context.contract.configurations.entries()) {
    checkValues(context, index, configuration);
  }
};

function checkValues(
  { schemas, report }: CheckContext,
  index: number,
  configuration: ContractConfiguration,
): void {
  const { values, schema, ref } = configuration;
  if (values === undefined || Object.keys(values).length === 0) return;
  const at = ['configurations', index, 'values'] as const;
  if (schema === undefined) {
    // With a reference the owner of the schema checks the values.
    if (ref === undefined)
      report('VALUES_WITHOUT_SCHEMA', at, 'values are declared without a schema to check them by');
    return;
  }
  const compiled = schemas.get(schema);
  if (compiled.kind !== 'schema') return;
  const leaves = compiled.check(values);
  if (leaves.length === 0) return;
  const text = leaves.map(({ pointer, reason }) => `at '${pointer}': ${reason}`).join('; ');
  report('CONFIG_VALUES_VALIDATION_FAILED', at, `the values break ${schema}: ${text}`);
}
