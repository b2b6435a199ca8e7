// A logger that keeps its lines, so that a test can say what was logged and what was not.
import type { LogFields } from '../../runtime/log-fields.ts';
import type { Logger, LogLevel } from '../../runtime/logger.ts';

export type CapturedLine = {
  readonly level: Exclude<LogLevel, 'silent'>;
  readonly message: string;
  readonly fields: LogFields;
};

export class CapturedLog implements Logger {
  readonly lines: CapturedLine[];
  readonly #fields: LogFields;

  constructor(fields: LogFields = {}, lines: CapturedLine[] = []) {
    this.#fields = fields;
    this.lines = lines;
  }

  debug(message: string, fields?: LogFields): void {
    this.#keep('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#keep('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#keep('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#keep('error', message, fields);
  }

  fatal(message: string, fields?: LogFields): void {
    this.#keep('fatal', message, fields);
  }

  child(fields: LogFields): CapturedLog {
    return new CapturedLog({ ...this.#fields, ...fields }, this.lines);
  }

  /** Lines with exactly this message. */
  named(message: string): readonly CapturedLine[] {
    return this.lines.filter((line) => line.message === message);
  }

  #keep(level: CapturedLine['level'], message: string, fields: LogFields = {}): void {
    this.lines.push({ level, message, fields: { ...this.#fields, ...fields } });
  }
}
