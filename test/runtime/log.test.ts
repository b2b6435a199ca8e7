// Logging: the catalogue of fields is pinned, levels reload, secrets are cut out, causes are kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOG_FIELD_NAMES } from '../../runtime/log-fields.ts';
import { createLogger, type RootLogger } from '../../runtime/logger.ts';
import { serializeError } from '../../runtime/serialize-error.ts';

function logger(): { log: RootLogger; lines: () => Record<string, unknown>[] } {
  const written: string[] = [];
  const log = createLogger({
    fields: { process: 'operator' },
    destination: { write: (text) => void written.push(text) },
  });
  return { log, lines: () => written.map((text) => JSON.parse(text) as Record<string, unknown>) };
}

test('runtime/log fields are public names: none goes or changes unnoticed', () => {
  assert.deepEqual(
    [...LOG_FIELD_NAMES].sort().join(' '),
    'address ageMs attempt bytes code component controller count decisionId delayMs durationMs error file generation ' +
      'holder identity key kind level method name namespace node operation passId path process reason resourceVersion ' +
      'result signal status traceparent uid user version',
  );
  for (const name of LOG_FIELD_NAMES) assert.match(name, /^[a-z][a-zA-Z]*$/);
});

test('runtime/a line carries time, level, message and the fields of all its parents', () => {
  const { log, lines } = logger();
  log.child({ controller: 'pacto' }).info('pass ended', { durationMs: 1.5, result: 'done' });
  const [line] = lines();
  assert.ok(line);
  assert.match(String(line['time']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  delete line['time'];
  assert.deepEqual(line, {
    level: 'info',
    process: 'operator',
    controller: 'pacto',
    durationMs: 1.5,
    result: 'done',
    message: 'pass ended',
  });
});

test('runtime/the level reloads for loggers that exist already', () => {
  const { log, lines } = logger();
  const child = log.child({ component: 'x' });
  child.debug('one');
  log.setLevel('debug');
  child.debug('two');
  log.setLevel('silent');
  child.fatal('three');
  assert.deepEqual(
    lines().map(({ message }) => message),
    ['two'],
  );
});

test('runtime/an error is written with its causes and nothing else it carries', () => {
  const { log, lines } = logger();
  const cause = Object.assign(new Error('refused'), {
    code: 'ECONNREFUSED',
    headers: { authorization: 'secret-1' },
  });
  const error = Object.assign(new TypeError('failed', { cause }), {
    body: 'secret-2',
    request: { token: 'secret-3' },
  });
  log.error('it failed', { error });
  const [line] = lines();
  const written = line?.['error'] as {
    type: string;
    message: string;
    stack: string;
    cause: Record<string, unknown>;
  };
  assert.deepEqual([written.type, written.message], ['TypeError', 'failed']);
  assert.match(written.stack, /log\.test\.ts/);
  assert.deepEqual([written.cause['message'], written.cause['code']], ['refused', 'ECONNREFUSED']);
  assert.doesNotMatch(JSON.stringify(line), /secret/);
});

test('runtime/known secret keys are cut out wherever they stand', () => {
  const { log, lines } = logger();
  // Fields that the types do not allow, as a cast or a spread may let through.
  const stray: object = { reason: 'x', authorization: 'Bearer secret', error: { token: 'secret' } };
  log.info('odd', stray);
  assert.doesNotMatch(JSON.stringify(lines()), /secret/);
  assert.match(JSON.stringify(lines()), /\[redacted\]/);
});

test('runtime/what is thrown need not be an error, and causes may go in a circle', () => {
  assert.deepEqual(serializeError('text'), { type: 'string', message: 'text' });
  assert.deepEqual(serializeError(undefined), { type: 'undefined', message: 'undefined' });
  assert.equal(serializeError({ password: 'x' }).message, 'an object that is not an Error was thrown');
  const one = new Error('one');
  one.cause = new Error('two', { cause: one });
  let depth = 0;
  for (let at: { cause?: unknown } | undefined = serializeError(one); at !== undefined; depth += 1) {
    at = at.cause as typeof at;
  }
  assert.equal(depth, 9);
});
