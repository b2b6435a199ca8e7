// Compares the rows of test tables in docs/spec with the names of tests: every row has a test that begins with its id.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One row of a test table: `evaluation/IF8`. */
type Row = { readonly id: string; readonly line: number; readonly file: string };

const root = fileURLToPath(new URL('..', import.meta.url));
const specFolder = `${root}docs/spec`;
const testFolder = `${root}test`;

/** Rows of the tables that follow the heading of a test table; its heading says "Test table" or stands below one that does. */
export function rowsOf(file: string, markdown: string): Row[] {
  const name = file.replace(/\.md$/, '');
  const rows: Row[] = [];
  let depth = 0;
  for (const [index, line] of markdown.split('\n').entries()) {
    const heading = /^(#+) (.*)$/.exec(line);
    if (heading?.[1] !== undefined) {
      const level = heading[1].length;
      if (/\btest table\b/i.test(heading[2] ?? '')) depth = level;
      else if (level <= depth) depth = 0;
      continue;
    }
    const cell = /^\|\s*`?([A-Za-z]{0,3}\d+[a-z]?)`?\s*\|/.exec(line)?.[1];
    if (depth > 0 && cell !== undefined) rows.push({ id: `${name}/${cell}`, line: index + 1, file });
  }
  return rows;
}

/** Ids at the beginning of test names; one test may name several rows: `evaluation/IF8 IF9 bound by name or number`. */
export function testedIds(source: string): string[] {
  const ids: string[] = [];
  for (const match of source.matchAll(/['"` ]([a-z]+)\/((?:[A-Za-z]{0,3}\d+[a-z]?(?:, | |$)?)+)/g)) {
    const [, file = '', list = ''] = match;
    for (const id of list.trim().split(/,? /)) ids.push(`${file}/${id}`);
  }
  // Tests made from a table are named `evaluation/${id} …`; its rows begin with the id.
  for (const [, file = ''] of source.matchAll(/`([a-z]+)\/\$\{id\}/g)) {
    for (const [, id = ''] of source.matchAll(/\[\s*'([A-Za-z]{0,3}\d+[a-z]?)',/g)) ids.push(`${file}/${id}`);
  }
  return ids;
}

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

function main(): void {
  const tested = new Set(
    filesBelow(testFolder, '.test.ts').flatMap((path) => testedIds(readFileSync(path, 'utf8'))),
  );
  if (!existsSync(specFolder)) {
    process.stderr.write(`${specFolder} is missing: the specifications belong to the sources\n`);
    process.exitCode = 1;
    return;
  }
  const rows = filesBelow(specFolder, '.md').flatMap((path) =>
    rowsOf(path.slice(specFolder.length + 1), readFileSync(path, 'utf8')),
  );
  const open = rows.filter((row) => !tested.has(row.id));
  for (const row of open) process.stdout.write(`docs/spec/${row.file}:${row.line}: ${row.id} has no test\n`);
  process.stdout.write(`${rows.length - open.length} of ${rows.length} rows of docs/spec have a test\n`);
  if (open.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
