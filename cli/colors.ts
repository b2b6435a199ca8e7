// Colour for a stream: on for a terminal, off with NO_COLOR or when piped.
import picocolors from 'picocolors';
import type { CliContext, Terminal } from './command.ts';

export type Colors = ReturnType<typeof picocolors.createColors>;

/** Colour functions that leave text alone where colour is not wanted. */
export function colorsFor(stream: Terminal, env: CliContext['env']): Colors {
  const wanted = stream.isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  return picocolors.createColors(wanted);
}
