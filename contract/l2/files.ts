// Files a contract names: they exist, parse and compile (checks 7 to 10, 12 and 13). Silent without a bundle.
import { decodeText } from '../text.ts';
import { quote } from '../json.ts';
import { readYaml, TOO_COMPLEX } from '../read-yaml.ts';
import type { Path } from '../tree.ts';
import { parseJsonText } from '../json-text.ts';
import type { Check, CheckContext } from './context.ts';
import { checkPolicyReference } from './references.ts';

export const interfaceFiles: Check = (context) => {
  for (const [index, { ref }] of context.contract.interfaces.entries()) {
    mustExist(context, ['interfaces', index, 'ref'], 'interface', ref);
  }
};

export const interfaceContent: Check = (context) => {
  for (const [index, { ref }] of context.contract.interfaces.entries())
    checkSpecification(context, index, ref);
};

export const configurationFiles: Check = (context) => {
  for (const [index, { schema }] of context.contract.configurations.entries()) {
    if (schema !== undefined)
      mustExist(context, ['configurations', index, 'schema'], 'configuration schema', schema);
  }
};

export const configurationContent: Check = (context) => {
  for (const [index, { schema }] of context.contract.configurations.entries()) {
    if (schema === undefined) continue;
    checkSchema(context, ['configurations', index, 'schema'], schema, {
      notJson: 'INVALID_CONFIG_JSON',
      notSchema: 'INVALID_CONFIG_SCHEMA',
    });
  }
};

/** Per policy: the file exists, then the reference is well formed. */
export const policyEntries: Check = (context) => {
  for (const [index, { schema, ref }] of context.contract.policies.entries()) {
    if (schema !== undefined) mustExist(context, ['policies', index, 'schema'], 'policy schema', schema);
    checkPolicyReference(context, index, ref);
  }
};

export const policyContent: Check = (context) => {
  for (const [index, { schema }] of context.contract.policies.entries()) {
    if (schema === undefined) continue;
    checkSchema(context, ['policies', index, 'schema'], schema, {
      notJson: 'INVALID_POLICY_JSON',
      notSchema: 'INVALID_POLICY_SCHEMA',
    });
  }
};

function mustExist({ files, report }: CheckContext, at: Path, kind: string, path: string): void {
  if (files?.read(path).kind === 'missing') {
    report('FILE_NOT_FOUND', at, `${kind} file ${quote(path)} is not in the bundle`);
  }
}

function checkSpecification({ files, report }: CheckContext, index: number, path: string): void {
  const format = formatOf(path);
  const file = files?.read(path);
  if (format === undefined || file?.kind !== 'file') return;
  const problem = format === 'YAML' ? yamlProblem(file.bytes) : jsonProblem(file.bytes);
  if (problem === undefined) return;
  report(
    'INVALID_INTERFACE_SPEC',
    ['interfaces', index, 'ref'],
    `${quote(path)} is not ${format}: ${problem}`,
  );
}

type SchemaCodes = {
  readonly notJson: 'INVALID_CONFIG_JSON' | 'INVALID_POLICY_JSON';
  readonly notSchema: 'INVALID_CONFIG_SCHEMA' | 'INVALID_POLICY_SCHEMA';
};

function checkSchema({ schemas, report }: CheckContext, at: Path, path: string, codes: SchemaCodes): void {
  const schema = schemas.get(path);
  if (schema.kind === 'not-json') report(codes.notJson, at, `${quote(path)} is not JSON: ${schema.reason}`);
  if (schema.kind === 'not-schema') {
    report(codes.notSchema, at, `${quote(path)} is not a usable JSON Schema: ${schema.reason}`);
  }
}

function formatOf(path: string): 'YAML' | 'JSON' | undefined {
  const lower = path.toLowerCase();
  if (lower.endsWith('.yaml') || lower.endsWith('.yml')) return 'YAML';
  return lower.endsWith('.json') ? 'JSON' : undefined;
}

function yamlProblem(bytes: Uint8Array): string | undefined {
  const message = readYaml(bytes).problems[0]?.message;
  // A specification may be larger than what is worth reading here; that is no fault of it.
  return message === TOO_COMPLEX ? undefined : message;
}

function jsonProblem(bytes: Uint8Array): string | undefined {
  const decoded = decodeText(bytes);
  if (decoded.kind === 'undecodable') return decoded.reason;
  const parsed = parseJsonText(decoded.text);
  return parsed.kind === 'invalid' ? parsed.reason : undefined;
}
