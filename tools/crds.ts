// Writes deploy/crds from the schemas in api/schema; with --check says whether the files are fresh.
import { stringify } from 'yaml';
import { customResourceDefinition } from '../api/schema/crd.ts';
import { CUSTOM_RESOURCES } from '../api/schema/custom-resources.ts';
import { writeOrCheck } from './generated-file.ts';

const HEADER = '# Made from api/schema by tools/crds.ts. Change the schema and run `make generate`.\n';

for (const resource of CUSTOM_RESOURCES) {
  const target = new URL(`../deploy/crds/${resource.plural}.${resource.group}.yaml`, import.meta.url);
  const text = stringify(customResourceDefinition(resource), {
    lineWidth: 110,
    indentSeq: false,
    aliasDuplicateObjects: false,
    singleQuote: true,
  });
  writeOrCheck(target, HEADER + text);
}
