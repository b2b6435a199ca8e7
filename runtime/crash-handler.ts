// The last line of defence: what nobody caught is logged as fatal and ends the process with a code of its own.
import type { Logger } from './logger.ts';

/** What is used of `process`, so that a test can pass something else. */
export type CrashSource = {
  on(event: 'unhandledRejection' | 'uncaughtException', listener: (error: unknown) => void): unknown;
  off(event: 'unhandledRejection' | 'uncaughtException', listener: (error: unknown) => void): unknown;
  exit(code: number): void;
};

/** Exit code after an error nobody handled (EX_SOFTWARE). */
export const CRASH_EXIT_CODE = 70;

/**
 * Logs an unhandled rejection or exception as fatal and exits at once: state is unknown, and a supervisor restarts us.
 * Returns a function that takes the handlers off again.
 */
export function handleCrashes(source: CrashSource, log: Logger): () => void {
  const onRejection = (error: unknown): void => {
    log.fatal('unhandled rejection', { error });
    source.exit(CRASH_EXIT_CODE);
  };
  const onException = (error: unknown): void => {
    log.fatal('uncaught exception', { error });
    source.exit(CRASH_EXIT_CODE);
  };
  source.on('unhandledRejection', onRejection);
  source.on('uncaughtException', onException);
  return () => {
    source.off('unhandledRejection', onRejection);
    source.off('uncaughtException', onException);
  };
}
