// Status conditions as plain values: every function returns a new list sorted by type, so equal states are equal text.
import { byText } from './by-text.ts';
import type { Condition } from './meta.ts';
import { formatTime } from './time.ts';
import { MAX_CONDITION_MESSAGE, truncate } from './truncate.ts';

/** What a pass found out about one condition; the transition time is worked out when it is set. */
export type ConditionUpdate = Omit<Condition, 'lastTransitionTime'>;

/** The condition of that type, or undefined. */
export function findCondition(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * Sets one condition. Reason, message and observedGeneration are replaced; `lastTransitionTime` moves to `now` only when
 * the status differs from the stored one (controller.md 3.2). A message over 32,768 code points is cut.
 * @param now milliseconds since the epoch, stored as a whole second
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  update: ConditionUpdate,
  now: number,
): readonly Condition[] {
  const stored = findCondition(conditions, update.type);
  const lastTransitionTime = stored?.status === update.status ? stored.lastTransitionTime : formatTime(now);
  const next: Condition = {
    type: update.type,
    status: update.status,
    reason: update.reason,
    message: truncate(update.message, MAX_CONDITION_MESSAGE),
    lastTransitionTime,
    ...(update.observedGeneration !== undefined && { observedGeneration: update.observedGeneration }),
  };
  return sorted([...(conditions ?? []).filter(({ type }) => type !== update.type), next]);
}

/** The list without the named types, for conditions that cannot apply any more (controller.md 3.4). */
export function removeConditions(
  conditions: readonly Condition[] | undefined,
  ...types: readonly string[]
): readonly Condition[] {
  return sorted((conditions ?? []).filter(({ type }) => !types.includes(type)));
}

function sorted(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.toSorted((a, b) => byText(a.type, b.type));
}
