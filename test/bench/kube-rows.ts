// A figure of several programs as one line: what was measured, each program's value, and whether ours meets its goal.
import type { ProgramName } from './kube-programs.ts';

export type Row = {
  readonly what: string;
  readonly unit: string;
  readonly values: Readonly<Partial<Record<ProgramName, number | undefined>>>;
  /** Most that kube/ may have. */
  readonly goal?: number;
};

export function rowText({ what, unit, values, goal }: Row): { readonly text: string; readonly met: boolean } {
  const figures = Object.entries(values).map(
    ([name, value]) => `${name} ${value === undefined || Number.isNaN(value) ? 'nothing' : value.toFixed(2)}`,
  );
  // What could not be measured meets no goal.
  const met = goal === undefined || (values['kube/'] ?? Number.NaN) <= goal;
  const verdict = goal === undefined ? '' : `   goal ${goal}: ${met ? 'met' : 'MISSED'}`;
  return { text: `${what.padEnd(44)} ${unit.padEnd(8)} ${figures.join('   ')}${verdict}`, met };
}
