// Judges interfaces: availability, then the protocol and the exposure of those that are there.
import type { ContractInterface } from '../../contract/model.ts';
import type { Observed, Payloads } from '../evidence.ts';
import type { Assertion, Judgement } from './judgement.ts';

type InterfacePayload = Payloads['InterfaceObserved'];

export function evaluateInterfaces(judgement: Judgement, interfaces: readonly ContractInterface[]): void {
  for (const declared of interfaces) {
    const assertion = {
      kind: 'InterfaceObserved',
      name: declared.name,
      subject: `interface/${declared.name}`,
      path: `interfaces[name=${declared.name}]`,
      required: true,
    } as const;
    const observation = judgement.observed(assertion);
    if (observation === undefined) continue;
    if (!observation.value.present) {
      const message = `${assertion.subject} is declared, and nothing has been ready to serve it for a whole window`;
      judgement.contradiction('INTERFACE_ABSENT', assertion, { message, observation });
      continue;
    }
    checkType(judgement, assertion, declared, observation);
    checkVisibility(judgement, assertion, declared, observation);
  }
}

/** The declared type against the spoken protocol (evaluation.md 10.3). */
function checkType(
  judgement: Judgement,
  assertion: Assertion<'InterfaceObserved'>,
  { type }: ContractInterface,
  observation: Observed<'InterfaceObserved'>,
): void {
  const path = `${assertion.path}.type`;
  const { protocol } = observation.value;
  if (isUndecidedProtocol(type, protocol)) return judgement.unverified(path);
  const fits = protocol === 'http2' || (protocol === 'http1' && type === 'openapi');
  if (fits) return;
  const message = `${assertion.subject} is declared as ${type} and answers in ${PROTOCOL_NAMES[protocol ?? 'other']}`;
  judgement.contradiction('INTERFACE_PROTOCOL_MISMATCH', assertion, { message, observation, path });
}

function isUndecidedProtocol(
  type: ContractInterface['type'],
  protocol: InterfacePayload['protocol'],
): boolean {
  return type === 'asyncapi' || protocol === undefined || protocol === 'tls';
}

const PROTOCOL_NAMES: Readonly<Record<NonNullable<InterfacePayload['protocol']>, string>> = {
  http1: 'HTTP/1',
  http2: 'HTTP/2',
  tls: 'TLS',
  other: 'another protocol',
};

/** The declared visibility, internal by default, against the exposure (evaluation.md 11.5). */
function checkVisibility(
  judgement: Judgement,
  assertion: Assertion<'InterfaceObserved'>,
  { visibility = 'internal' }: ContractInterface,
  observation: Observed<'InterfaceObserved'>,
): void {
  const path = `${assertion.path}.visibility`;
  const { exposure } = observation.value;
  // A gateway out of sight may expose what looks internal, so a public interface is never refuted.
  if (exposure === undefined || (visibility === 'public' && exposure === 'internal'))
    return judgement.unverified(path);
  if (visibility === 'public' || exposure === 'internal') return;
  const message = `${assertion.subject} is declared internal and can be reached from outside the cluster`;
  judgement.contradiction('INTERFACE_VISIBILITY_MISMATCH', assertion, { message, observation, path });
}
