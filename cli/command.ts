// What a command is: a name, its flags, and a function from parsed flags to an exit code.
import type { Clock } from '../runtime/clock.ts';
import type { FlagTable, ParsedFlags } from './flags.ts';

/** Exit codes of commands (gate 5). Long-running programs exit 1 on a start refusal instead of 2. */
export const EXIT = {
  allow: 0,
  deny: 1,
  usage: 2,
  notEvaluated: 3,
  held: 4,
  warned: 5,
} as const;

export type Terminal = {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Characters per line. */
  readonly columns: number;
};

export type CliContext = {
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly version: string;
  readonly clock: Clock;
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
};

export type Command<F extends FlagTable = FlagTable> = {
  readonly name: string;
  /** Words after the command's name, `[NAMESPACE/NAME ...]`; absent when it takes none. */
  readonly operands?: string;
  /** Paragraphs for `--help`, and examples. */
  readonly description: string;
  readonly flags: F;
  /** Exit code when flags are refused or the program cannot start. */
  readonly refusalCode: 1 | 2;
  run(flags: ParsedFlags<F>, operands: readonly string[], context: CliContext): Promise<number>;
};

/** Keeps the types of flags and handler together. */
export function defineCommand<const F extends FlagTable>(command: Command<F>): Command<F> {
  return command;
}

/** Something the person who typed the command can put right; shown without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
}
