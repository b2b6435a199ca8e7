// Flags as Go programs and kubectl take them: one dash or two, `--flag value` or `--flag=value`, booleans bare or `=true`.
import { parseArgs } from 'node:util';
import { parseDuration } from '../api/duration.ts';
import { UsageError } from './command.ts';

type FlagBase = {
  /** One sentence, without a full stop; unit and meaning. */
  readonly help: string;
  /** Single letter. */
  readonly short?: string;
  /** Shown in help in place of the value. */
  readonly placeholder?: string;
};

export type FlagSpec =
  | (FlagBase & { readonly kind: 'boolean'; readonly default: boolean })
  | (FlagBase & { readonly kind: 'string'; readonly default?: string })
  | (FlagBase & { readonly kind: 'strings' })
  | (FlagBase & { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default: string })
  | (FlagBase & {
      readonly kind: 'integer';
      readonly default: number;
      readonly min: number;
      readonly max: number;
    })
  /** Go-style text in, milliseconds out. */
  | (FlagBase & { readonly kind: 'duration'; readonly default: string });

export type FlagTable = Readonly<Record<string, FlagSpec>>;

type FlagValue<S extends FlagSpec> = S extends { kind: 'boolean' }
  ? boolean
  : S extends { kind: 'strings' }
    ? readonly string[]
    : S extends { kind: 'integer' | 'duration' }
      ? number
      : S extends { kind: 'choice'; choices: readonly (infer C)[] }
        ? C
        : S extends { kind: 'string'; default: string }
          ? string
          : string | undefined;

export type ParsedFlags<F extends FlagTable> = { readonly [K in keyof F]: FlagValue<F[K]> };

export type ParsedArguments<F extends FlagTable> = {
  readonly flags: ParsedFlags<F>;
  readonly operands: readonly string[];
};

/** Parses and checks the words after a command's name. Throws {@link UsageError} that quotes flag and value. */
export function parseFlags<F extends FlagTable>(table: F, argv: readonly string[]): ParsedArguments<F> {
  const { values, positionals } = tokenize(table, normalize(table, argv));
  const flags = Object.fromEntries(
    Object.entries(table).map(([name, spec]) => [name, convert(name, spec, values[name])]),
  );
  return { flags: flags as ParsedFlags<F>, operands: positionals };
}

type RawValue = string | boolean | (string | boolean)[] | undefined;

function tokenize(
  table: FlagTable,
  argv: readonly string[],
): { values: Record<string, RawValue>; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, spec]) => [
      name,
      {
        type: 'string' as const,
        ...(spec.kind === 'strings' ? { multiple: true } : {}),
        ...(spec.short === undefined ? {} : { short: spec.short }),
      },
    ]),
  );
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split('. ')[0] ?? cause.message) : String(cause);
    throw new UsageError(
      `${message.replace(/^Option '(-\S+, )?(--\S+) <value>' argument missing$/, '$2 needs a value')}; see --help`,
      { cause },
    );
  }
}

/** Gives every long flag two dashes and every bare boolean a value, so that one parser serves all spellings. */
function normalize(table: FlagTable, argv: readonly string[]): string[] {
  const words: string[] = [];
  for (const [index, word] of argv.entries()) {
    if (word === '--') return [...words, ...argv.slice(index)];
    const match = /^--?([A-Za-z][\w-]*)(=.*)?$/s.exec(word);
    const name = match?.[1] === undefined ? undefined : longName(table, match[1], word);
    if (name === undefined) {
      words.push(word);
      continue;
    }
    const spec = table[name];
    const value = match?.[2];
    words.push(
      spec?.kind === 'boolean' && value === undefined ? `--${name}=true` : `--${name}${value ?? ''}`,
    );
  }
  return words;
}

/** The flag a word names: a long name behind one dash or two, or a declared short letter behind one. */
function longName(table: FlagTable, name: string, word: string): string | undefined {
  if (Object.hasOwn(table, name)) return name;
  if (word.startsWith('--') || name.length > 1) return undefined;
  return Object.keys(table).find((key) => table[key]?.short === name);
}

function convert(name: string, spec: FlagSpec, raw: RawValue): unknown {
  const text = typeof raw === 'string' ? raw : undefined;
  switch (spec.kind) {
    case 'boolean':
      return text === undefined ? spec.default : readBoolean(name, text);
    case 'string':
      return text ?? spec.default;
    case 'strings':
      return Array.isArray(raw) ? raw.map(String) : [];
    case 'choice':
      return readChoice(name, spec.choices, text ?? spec.default);
    case 'integer':
      return readInteger(name, spec, text);
    case 'duration':
      return readDuration(name, text ?? spec.default);
  }
}

function readBoolean(name: string, text: string): boolean {
  if (['true', 't', '1', 'TRUE', 'True', 'T'].includes(text)) return true;
  if (['false', 'f', '0', 'FALSE', 'False', 'F'].includes(text)) return false;
  throw new UsageError(`--${name}=${JSON.stringify(text)}: give true or false`);
}

function readChoice(name: string, choices: readonly string[], text: string): string {
  if (choices.includes(text)) return text;
  throw new UsageError(`--${name} ${JSON.stringify(text)}: give one of ${choices.join(', ')}`);
}

function readInteger(
  name: string,
  spec: { default: number; min: number; max: number },
  text: string | undefined,
): number {
  if (text === undefined) return spec.default;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= spec.min && value <= spec.max) return value;
  throw new UsageError(
    `--${name} ${JSON.stringify(text)}: give a whole number from ${spec.min} to ${spec.max}`,
  );
}

function readDuration(name: string, text: string): number {
  const parsed = parseDuration(text);
  if (parsed.kind === 'duration' && parsed.ms >= 0) return parsed.ms;
  const why = parsed.kind === 'invalid' ? parsed.reason : 'it is negative';
  throw new UsageError(`--${name} ${JSON.stringify(text)}: ${why}; give a duration such as 90s, 2m or 1h30m`);
}
