// Names that must be unique in their list (codes DUPLICATE_*_NAME).
import type { StaticCode } from '../../api/finding-codes.ts';
import { quote } from '../json.ts';
import type { Check, CheckContext } from './context.ts';

type NamedList = 'interfaces' | 'configurations' | 'policies' | 'dependencies';

export const interfaceNames: Check = (context) => unique(context, 'interfaces', 'DUPLICATE_INTERFACE_NAME');
export const configurationNames: Check = (context) =>
  unique(context, 'configurations', 'DUPLICATE_CONFIGURATION_NAME');
export const policyNames: Check = (context) => unique(context, 'policies', 'DUPLICATE_POLICY_NAME');
export const dependencyNames: Check = (context) =>
  unique(context, 'dependencies', 'DUPLICATE_DEPENDENCY_NAME');

/** Each repetition cites the nearest one before it. */
function unique({ contract, report }: CheckContext, list: NamedList, code: StaticCode): void {
  const seen = new Map<string, number>();
  for (const [index, { name }] of contract[list].entries()) {
    const previous = seen.get(name);
    if (previous !== undefined) {
      report(code, [list, index, 'name'], `${quote(name)} is already declared at ${list}[${previous}].name`);
    }
    seen.set(name, index);
  }
}
