// The logger every part is handed: constant messages, fields from the catalogue, JSON lines written synchronously.
import { type DestinationStream, destination, pino, type Logger as Pino } from 'pino';
import type { LogFields } from './log-fields.ts';
import { serializeError } from './serialize-error.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Writes lines. Messages are constants that can be searched for; what varies goes into the fields. */
export type Logger = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  fatal(message: string, fields?: LogFields): void;
  /** A logger that adds `fields` to each of its lines. */
  child(fields: LogFields): Logger;
};

/** The logger at the root of a process, whose level can change while it runs, for itself and all its children. */
export type RootLogger = Logger & {
  readonly level: LogLevel;
  setLevel(level: LogLevel): void;
};

export type LoggerOptions = {
  /** Fields on every line, at least `process`. */
  readonly fields: LogFields;
  /** Default: `info`. */
  readonly level?: LogLevel;
  /** Where lines go. Default: standard error, synchronously, so that none is lost at exit. */
  readonly destination?: DestinationStream;
};

/** Values under these keys never reach a line, wherever they sit in a field. */
const SECRET_KEYS = ['authorization', 'Authorization', 'token', 'password', 'cookie', 'set-cookie'];

class PinoLogger implements RootLogger {
  readonly #pino: Pino;
  readonly #level: { current: LogLevel };

  constructor(inner: Pino, level: { current: LogLevel }) {
    this.#pino = inner;
    this.#level = level;
  }

  get level(): LogLevel {
    return this.#level.current;
  }

  setLevel(level: LogLevel): void {
    this.#level.current = level;
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#write('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields);
  }

  fatal(message: string, fields?: LogFields): void {
    this.#write('fatal', message, fields);
  }

  child(fields: LogFields): Logger {
    return new PinoLogger(this.#pino.child(fields), this.#level);
  }

  #write(level: Exclude<LogLevel, 'silent'>, message: string, fields: LogFields = {}): void {
    // pino children keep the level they were born with; the shared holder makes a reload reach all of them.
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(this.#level.current)) return;
    this.#pino[level](fields, message);
  }
}

/** Makes the root logger of a process. */
export function createLogger(options: LoggerOptions): RootLogger {
  const inner = pino(
    {
      level: 'debug',
      base: options.fields,
      messageKey: 'message',
      errorKey: 'error',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: serializeError },
      redact: { paths: SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`]), censor: '[redacted]' },
    },
    options.destination ?? destination({ dest: 2, sync: true }),
  );
  return new PinoLogger(inner, { current: options.level ?? 'info' });
}
