// Findings for programs: JSON, SARIF for code scanning, and workflow commands for GitHub.
import { GATE_API_VERSION } from '../../api/names.ts';
import { findingRemedy } from '../../api/finding-remedies.ts';
import { isValid, meaningOf, type ReportedFinding, type ValidationReport } from './report.ts';

/** The Validation object of `-o json`. A place that is not known is null; static findings have no subject. */
export function jsonOutput(report: ValidationReport): string {
  const { file, contract, findings, notes } = report;
  return pretty({
    apiVersion: GATE_API_VERSION,
    kind: 'Validation',
    valid: isValid(report),
    contract: contract ?? null,
    findings: findings.map(({ code, severity, category, path, line, column, message }) => ({
      ...{ code, severity, category, path, subject: null },
      ...{ line: line ?? null, column: column ?? null, file, message },
    })),
    notes: notes.map((note) => ({ ...note, file })),
  });
}

/** SARIF 2.1.0. */
export function sarifOutput(report: ValidationReport, version: string): string {
  const codes = [...new Set(report.findings.map(({ code }) => code))];
  return pretty({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'pacto-gate',
            version,
            rules: codes.map(sarifRule),
          },
        },
        results: report.findings.map((finding) => sarifResult(finding, report.file, codes)),
      },
    ],
  });
}

/** What code scanning shows about every finding of a code. */
function sarifRule(code: string): object {
  const remedy = findingRemedy(code);
  return {
    id: code,
    shortDescription: { text: meaningOf(code) },
    ...(remedy !== undefined && { help: { text: remedy } }),
  };
}

/** One workflow command for each finding and note. */
export function githubOutput({ file, findings, notes }: ValidationReport): string {
  const lines = findings.map(({ severity, code, line, column, message, path }) =>
    command(
      severity,
      { file, line, col: column, title: code },
      path === '' ? message : `${path}: ${message}`,
    ),
  );
  for (const { line, column, message } of notes)
    lines.push(command('notice', { file, line, col: column }, message));
  return lines.join('');
}

function sarifResult(finding: ReportedFinding, file: string, codes: readonly string[]): object {
  const { code, severity, path, line, column, message } = finding;
  const region = line === undefined ? {} : { region: { startLine: line, startColumn: column ?? 1 } };
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: severity,
    message: { text: message },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...region },
        ...(path !== '' && { logicalLocations: [{ fullyQualifiedName: path }] }),
      },
    ],
  };
}

/** Paths as URIs, relative ones staying relative. */
function uriOf(file: string): string {
  return file.startsWith('oci://') ? file : encodeURI(file.replaceAll('\\', '/'));
}

function command(
  name: string,
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const list = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [`${key}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`],
  );
  return `::${name} ${list.join(',')}::${escaped(message)}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function pretty(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
