// Arithmetic of observation windows: when a streak of negatives began, when it turns into a violation, what is kept.
import { byText } from './by-text.ts';
import type { ObservationWindow, WindowKind } from './pacto.ts';
import { formatTimeRoundedUp, parseTime } from './time.ts';

/** What one pass says about one streak: a start (whole-second RFC 3339 text) sets it, null ends it. */
export type StreakUpdate = {
  readonly kind: WindowKind;
  readonly subject: string;
  readonly firstObservedNegativeAt: string | null;
};

/** `<kind>/<subject>`: the identity of a streak. */
export type StreakKey = `${WindowKind}/${string}`;

export function streakKey(of: { readonly kind: WindowKind; readonly subject: string }): StreakKey {
  return `${of.kind}/${of.subject}`;
}

/** Start text of a streak first seen at `now` (epoch ms): rounded up, so that no window ends early (evaluation.md 13.2). */
export function streakStart(now: number): string {
  return formatTimeRoundedUp(now);
}

/**
 * When the window ends, in epoch milliseconds: the first moment at which its absence is a violation. Undefined when the
 * stored start is no time; such an entry counts as no streak.
 */
export function windowEnd(window: ObservationWindow, windowMs: number): number | undefined {
  const start = parseTime(window.firstObservedNegativeAt);
  return start === undefined ? undefined : start + windowMs;
}

/** The earliest end among windows that have not ended, in epoch milliseconds; undefined when none is open. */
export function earliestWindowEnd(
  windows: readonly ObservationWindow[] | undefined,
  windowMs: number,
  now: number,
): number | undefined {
  let earliest: number | undefined;
  for (const window of windows ?? []) {
    const end = windowEnd(window, windowMs);
    if (end !== undefined && end > now && (earliest === undefined || end < earliest)) earliest = end;
  }
  return earliest;
}

/**
 * The windows after a pass: each update sets or removes its entry, entries of assertions that are no longer declared go,
 * the rest stays. Sorted by kind, then subject (controller.md 2.5).
 * @param declared keys of every assertion the effective contract declares
 */
export function applyStreakUpdates(
  windows: readonly ObservationWindow[] | undefined,
  updates: readonly StreakUpdate[],
  declared: ReadonlySet<StreakKey>,
): readonly ObservationWindow[] {
  const next = new Map<StreakKey, ObservationWindow>();
  for (const window of windows ?? []) next.set(streakKey(window), window);
  for (const { kind, subject, firstObservedNegativeAt } of updates) {
    const key = streakKey({ kind, subject });
    if (firstObservedNegativeAt === null) next.delete(key);
    else next.set(key, { kind, subject, firstObservedNegativeAt });
  }
  return [...next.entries()]
    .filter(([key]) => declared.has(key))
    .map(([, window]) => window)
    .sort(byKindThenSubject);
}

function byKindThenSubject(a: ObservationWindow, b: ObservationWindow): number {
  return byText(a.kind, b.kind) || byText(a.subject, b.subject);
}
