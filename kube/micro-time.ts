// Kubernetes' MicroTime: RFC 3339 with six digits of a second, as Leases and Events carry it.
import type { WallTime } from '../runtime/clock.ts';

export function microTime(time: WallTime): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}

/** Kubernetes' Time: RFC 3339 in whole seconds, rounded down. */
export function secondTime(time: WallTime): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
