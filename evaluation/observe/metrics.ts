// Metrics: is there an exposition where it should be? Nothing here ever denies (evaluation.md 6).
import type { ContractCapability } from '../../contract/model.ts';
import { capabilityPort } from './capability-port.ts';
import { isExposition } from './exposition.ts';
import type { Observer, ObserverContext } from './observer-context.ts';
import type { RawObservation } from './raw-observation.ts';
import { requestPath } from './request-path.ts';
import { scrapeTarget } from './scrape-target.ts';
import { hostOf } from './service-port.ts';

const KIND = 'CapabilityObserved';
const NAME = 'metrics';

export const observeMetrics: Observer = (context) =>
  context.input.contract.capabilities
    .filter(({ type }) => type === 'metrics')
    .map((capability) => observeOne(context, capability));

function observeOne(context: ObserverContext, capability: ContractCapability): RawObservation {
  const { make } = context;
  if (!context.input.features.metricsObservation) return make.without(KIND, NAME, 'Unsupported');
  const place = capabilityPort(context, capability);
  if (place.kind === 'none') return make.without(KIND, NAME, place.outcome);
  const target = scrapeTarget(context, place);
  if (target === undefined) return make.without(KIND, NAME, 'Unsupported');
  const asked = context.ask({
    kind: 'http',
    host: hostOf(place.service),
    port: target.port,
    path: requestPath(target.path),
  });
  if (asked === undefined) return make.without(KIND, NAME, 'Insufficient');
  if (asked.answer.kind === 'unanswered') return make.without(KIND, NAME, 'Failed');
  const { status, contentType, text } = asked.answer;
  return status === 200 && isExposition(contentType, text)
    ? make.value(KIND, NAME, { present: true })
    : make.without(KIND, NAME, 'Insufficient');
}
