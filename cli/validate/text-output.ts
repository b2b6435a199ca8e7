// Findings for people: the rule, the place, the line with a caret below what is wrong.
import type { Colors } from '../colors.ts';
import { isValid, type ReportedFinding, type ValidationReport } from './report.ts';

type Shown = {
  readonly label: string;
  readonly message: string;
  readonly path: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
};

export type TextOptions = {
  readonly colors: Colors;
  /** Characters per line of the terminal. */
  readonly columns: number;
};

/** Errors, warnings and notes, and at the end what it all means. */
export function textOutput(report: ValidationReport, options: TextOptions): string {
  const { colors } = options;
  const lines = report.text.split('\n');
  const blocks = report.findings.map((finding) =>
    block(shownFinding(finding, colors), report, lines, options),
  );
  for (const note of report.notes)
    blocks.push(block({ ...note, label: colors.cyan('note') }, report, lines, options));
  return [...blocks, summary(report, colors)].join('\n');
}

function shownFinding(finding: ReportedFinding, colors: Colors): Shown {
  const paint = finding.severity === 'error' ? colors.red : colors.yellow;
  return { ...finding, label: paint(`${finding.severity}[${finding.code}]`) };
}

function block(
  shown: Shown,
  report: ValidationReport,
  lines: readonly string[],
  options: TextOptions,
): string {
  const { colors } = options;
  const head = `${shown.label}${colors.bold(`: ${shownInPlace(shown.message)}`)}\n`;
  const { line, column = 1 } = shown;
  const path = shown.path === '' ? '' : `  ${shownInPlace(shown.path)}`;
  if (line === undefined) return `${head}  ${colors.dim('-->')} ${report.file}${path}\n`;
  const margin = ' '.repeat(String(line).length);
  const place = `${margin} ${colors.dim('-->')} ${report.file}:${line}:${column}${path}\n`;
  const source = lines[line - 1];
  if (source === undefined) return head + place;
  const bar = colors.dim('|');
  const view = window(source, column - 1, options.columns - margin.length - 4);
  const caret = colors.red('^'.repeat(view.width));
  return `${head}${place}${margin} ${bar}\n${colors.dim(String(line))} ${bar} ${view.text}\n${margin} ${bar} ${view.indent}${caret}\n`;
}

/** The part of a line that fits, with what stands before the caret as white space of the same width. */
function window(
  source: string,
  at: number,
  columns: number,
): { readonly text: string; readonly indent: string; readonly width: number } {
  const room = Math.max(20, columns);
  const whole = shownInPlace(source.replace(/\r$/, ''));
  const start = at < room - 10 ? 0 : at - Math.floor(room / 2);
  const end = start + room;
  const text = `${start > 0 ? '…' : ''}${whole.slice(start > 0 ? start + 1 : 0, end)}${whole.length > end ? '…' : ''}`;
  const indent = whole.slice(start, at).replace(/[^\t]/g, ' ');
  const width = Math.max(1, Math.min(tokenLength(whole.slice(at)), end - at));
  return { text, indent, width };
}

/** How long the key or value is that begins here. */
function tokenLength(rest: string): number {
  const quoted = /^"(?:[^"\\]|\\.)*"|^'(?:[^']|'')*'/.exec(rest)?.[0];
  return (quoted ?? /^[^\s,[\]{}]+/.exec(rest)?.[0])?.replace(/:$/, '').length ?? 1;
}

function summary(report: ValidationReport, colors: Colors): string {
  const errors = report.findings.filter(({ severity }) => severity === 'error').length;
  const warnings = report.findings.length - errors;
  const { contract } = report;
  const name = contract === undefined ? '' : `: ${shownInPlace(`${contract.name} ${contract.version}`)}`;
  const verdict = isValid(report) ? colors.green('valid') : colors.red('invalid');
  const counts = [
    counted(errors, 'error'),
    counted(warnings, 'warning'),
    counted(report.notes.length, 'note'),
  ];
  const list = counts.filter((text) => text !== '').join(', ');
  return `${report.file}${name} is ${verdict}${list === '' ? '' : ` (${list})`}\n`;
}

function counted(count: number, word: string): string {
  return count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** Text of a contract cannot move the cursor or change colours; one character for one, so that the caret keeps its place. */
function shownInPlace(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000A-\u001F\u007F-\u009F]/g, '\uFFFD');
}
