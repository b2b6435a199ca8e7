// What a test run prints: a line per file, failures in full, skips with their reasons, and the totals at the end.
import type { TestEvent } from 'node:test/reporters';

type Failure = { readonly name: string; readonly file: string };

/** Node calls this with the stream of test events and prints what it yields. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  const skips = new Map<string, number>();
  const failures: Failure[] = [];
  const files = new Set<string>();
  const started = Date.now();
  for await (const event of events) {
    if (event.type === 'test:stderr' || event.type === 'test:stdout') yield event.data.message;
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { name, file = '', details, skip } = event.data;
    files.add(file);
    // A suite repeats what its tests said, unless a hook of its own failed.
    if (details.type === 'suite' && (event.type === 'test:pass' || repeats(event.data.details.error)))
      continue;
    if (skip !== undefined && skip !== false) {
      totals.skipped += 1;
      const reason = typeof skip === 'string' && skip !== '' ? skip : 'no reason given';
      skips.set(reason, (skips.get(reason) ?? 0) + 1);
    } else if (event.type === 'test:pass') {
      totals.passed += 1;
    } else {
      totals.failed += 1;
      failures.push({ name, file });
      yield `FAIL ${name}\n     ${file}\n${indent(textOf(event.data.details.error))}\n`;
    }
  }
  for (const [reason, count] of skips) yield `skipped ${count}: ${reason}\n`;
  for (const { name, file } of failures) yield `FAIL ${name} (${file})\n`;
  yield `${files.size} files in ${Math.round((Date.now() - started) / 1000)} s\n`;
  yield `${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`;
}

function repeats(error: object): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed';
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? (cause.stack ?? cause.message) : (error.stack ?? error.message);
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `     ${line}`)
    .join('\n');
}
