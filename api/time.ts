// Points in time as they stand on the wire: RFC 3339 text, UTC, whole seconds. Inside the program a point in time is a
// number of milliseconds since the Unix epoch.

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Text of the whole second that `epochMs` lies in, for example `2026-11-30T09:30:00Z`. Throws RangeError on NaN. */
export function formatTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000);
  // One pass names its own moment many times.
  if (second !== last.second) {
    last = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` };
  }
  return last.text;
}

let last = { second: Number.NaN, text: '' };

/** Text of the first whole second at or after `epochMs`: a start that is rounded up never ends a wait early. */
export function formatTimeRoundedUp(epochMs: number): string {
  return formatTime(Math.ceil(epochMs / 1000) * 1000);
}

/** Milliseconds since the epoch, or undefined when `text` is no RFC 3339 time. Fractions are kept to milliseconds. */
export function parseTime(text: string): number | undefined {
  if (!RFC_3339.test(text)) return undefined;
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
