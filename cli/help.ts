// The text of --help, for the program and for one command.
import type { Command } from './command.ts';
import type { FlagSpec, FlagTable } from './flags.ts';

/** One command of the list, known without loading it. */
export type CommandSummary = { readonly name: string; readonly summary: string };

export function programHelp(commands: readonly CommandSummary[]): string {
  const width = Math.max(...commands.map((c) => c.name.length));
  const lines = commands.map((c) => `  ${c.name.padEnd(width)}  ${c.summary}`);
  return `pacto-gate answers whether a change may go on: allow, hold, or deny, from evidence about service contracts.

Usage:
  pacto-gate COMMAND [flags]

Commands:
${lines.join('\n')}

Run 'pacto-gate COMMAND --help' for the flags of one command, 'pacto-gate --version' for the version.
`;
}

export function commandHelp(
  command: Pick<Command, 'name' | 'operands' | 'description'> & { readonly flags: FlagTable },
): string {
  const operands = command.operands === undefined ? '' : ` ${command.operands}`;
  const rows = Object.entries(command.flags).map(
    ([name, spec]) => [flagLabel(name, spec), flagText(spec)] as const,
  );
  const width = Math.max(0, ...rows.map(([label]) => label.length));
  const flags = rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`).join('\n');
  return `${command.description.trim()}

Usage:
  pacto-gate ${command.name}${operands} [flags]

Flags:
${flags}
`;
}

function flagLabel(name: string, spec: FlagSpec): string {
  const short = spec.short === undefined ? '    ' : `-${spec.short}, `;
  const value = spec.kind === 'boolean' ? '' : ` ${spec.placeholder ?? PLACEHOLDERS[spec.kind]}`;
  return `${short}--${name}${value}`;
}

const PLACEHOLDERS = {
  string: 'TEXT',
  strings: 'TEXT',
  choice: 'WORD',
  integer: 'N',
  duration: 'DURATION',
} as const;

function flagText(spec: FlagSpec): string {
  const choices = spec.kind === 'choice' ? `: ${spec.choices.join(', ')}` : '';
  const repeat = spec.kind === 'strings' ? ' (repeatable)' : '';
  const initial =
    'default' in spec && spec.default !== undefined && spec.default !== false && spec.default !== ''
      ? ` (default ${spec.default})`
      : '';
  return `${spec.help}${choices}${repeat}${initial}`;
}
