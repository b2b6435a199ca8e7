// Calendar days in their one canonical form, YYYY-MM-DD, UTC (contract.md 7.1).

const DAY_MS = 86_400_000;

/** First instant of the day in milliseconds since the epoch, or undefined when the text names no day exactly so. */
export function parseDay(text: string): number | undefined {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return undefined;
  const start = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(start)) return undefined;
  // Date.parse takes the 30th of February for the 2nd of March.
  return new Date(start).toISOString().startsWith(text) ? start : undefined;
}

/** Whole days from the day `now` lies in to the day that begins at `start`. */
export function daysUntil(start: number, now: number): number {
  return Math.round((start - Math.floor(now / DAY_MS) * DAY_MS) / DAY_MS);
}

/** First instant after the day that begins at `start`. */
export function endOfDay(start: number): number {
  return start + DAY_MS;
}
