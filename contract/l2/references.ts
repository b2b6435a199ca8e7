// References to other contracts in configurations, policies and dependencies, and dependency ranges.
import { quote } from '../json.ts';
import { parseOciLocation, parseReference, type ParsedOciLocation } from '../oci-reference.ts';
import { parseRange } from '../range.ts';
import type { Check, CheckContext } from './context.ts';

export const configurationReferences: Check = ({ contract, report }) => {
  for (const [index, { ref }] of contract.configurations.entries()) {
    const problem = ociProblem(ref);
    if (problem !== undefined) report('INVALID_CONFIG_REF', ['configurations', index, 'ref'], problem);
  }
};

/** The reference of one policy; files of policies are checked elsewhere. */
export function checkPolicyReference({ report }: CheckContext, index: number, ref: string | undefined): void {
  const problem = ociProblem(ref);
  if (problem !== undefined) report('INVALID_POLICY_REF', ['policies', index, 'ref'], problem);
}

/** Per dependency: a malformed reference ends the entry, then the tag warning, then the range. */
export const dependencyReferences: Check = ({ contract, report }) => {
  for (const [index, { ref, compatibility }] of contract.dependencies.entries()) {
    const parsed = ociOf(ref);
    if (parsed?.kind === 'invalid') {
      report('INVALID_OCI_REF', ['dependencies', index, 'ref'], `${quote(ref)}: ${parsed.reason}`);
      continue;
    }
    if (parsed?.location.tag !== undefined && parsed.location.digest === undefined) {
      const message = `${quote(ref)} names a tag, which can move; pin the digest`;
      report('TAG_NOT_DIGEST', ['dependencies', index, 'ref'], message);
    }
    const at = ['dependencies', index, 'compatibility'] as const;
    if (compatibility === '')
      report('EMPTY_COMPATIBILITY', at, 'the range is empty; write for example ^1.2.0');
    else if (parseRange(compatibility) === undefined) {
      report(
        'INVALID_COMPATIBILITY',
        at,
        `${quote(compatibility)} is not a version range; write for example ^1.2.0`,
      );
    }
  }
};

function ociProblem(ref: string | undefined): string | undefined {
  const parsed = ref === undefined ? undefined : ociOf(ref);
  if (ref === undefined || parsed?.kind !== 'invalid') return undefined;
  return `${quote(parseReference(ref).location)}: ${parsed.reason}`;
}

function ociOf(ref: string): ParsedOciLocation | undefined {
  const reference = parseReference(ref);
  return reference.kind === 'oci' ? parseOciLocation(reference.location) : undefined;
}
