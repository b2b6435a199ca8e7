// What every long-running program needs around it: logger, metrics, crash handling, and the flags that set them up.
import { handleCrashes } from '../runtime/crash-handler.ts';
import type { ListenAddress } from '../runtime/health-server.ts';
import { createLogger, LOG_LEVELS, type Logger } from '../runtime/logger.ts';
import { Metrics } from '../runtime/metrics.ts';
import type { Clock } from '../runtime/clock.ts';
import { type CliContext, UsageError } from './command.ts';

export const PROCESS_FLAGS = {
  'log-level': {
    kind: 'choice',
    choices: LOG_LEVELS,
    default: 'info',
    help: 'Least severe lines that are written',
  },
} as const;

export type ProcessRuntime = { readonly clock: Clock; readonly log: Logger; readonly metrics: Metrics };

/** Runs a program until it ends or a signal asks it to; a failure is logged and becomes exit code 1. */
export async function runProcess(
  name: string,
  flags: { readonly 'log-level': string },
  context: CliContext,
  program: (runtime: ProcessRuntime, signal: AbortSignal) => Promise<void>,
): Promise<number> {
  const level = LOG_LEVELS.find((l) => l === flags['log-level']) ?? 'info';
  const log = createLogger({ fields: { process: name, version: context.version }, level });
  const metrics = new Metrics();
  metrics.collectProcessMetrics();
  const release = handleCrashes(
    { on: (e, l) => process.on(e, l), off: (e, l) => process.off(e, l), exit },
    log,
  );
  log.info('starting', {});
  try {
    await program({ clock: context.clock, log, metrics }, context.signal);
    log.info('stopped', {});
    return 0;
  } catch (error) {
    log.fatal('ended by an error', { error });
    context.stderr.write(`pacto-gate ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    // Whatever did not stop must not keep the process: a leader that lost its lease is replaced by now.
    exit(1);
    return 1;
  } finally {
    release();
  }
}

function exit(code: number): void {
  // State is unknown after such an error; nothing may run on.
  // oxlint-disable-next-line unicorn/no-process-exit
  process.exit(code);
}

/** Reads `host:port`, `:port` or `[v6]:port`. */
export function address(flag: string, text: string): ListenAddress {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:\s]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || !(port <= 65_535)) {
    throw new UsageError(
      `--${flag} ${JSON.stringify(text)}: give an address such as :8081 or 127.0.0.1:8081`,
    );
  }
  const host = match[1] ?? match[2] ?? '';
  return { flag: `--${flag}`, port, ...(host === '' ? {} : { host }) };
}
