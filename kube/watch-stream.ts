// The events of one watch, decoded from its lines; nothing unreadable is ever skipped.
import { decodeStatus, type KubeApiError } from './api-error.ts';
import { isRecord, recordAt, stringAt, valueAt } from './json.ts';
import { splitLines, WatchStreamError } from './line-splitter.ts';
import { withoutManagedFields } from './managed-fields.ts';
import { dropManagedFields, readMeta } from './object-meta.ts';

export type WatchEvent =
  | { readonly kind: 'added' | 'modified' | 'deleted'; readonly object: unknown }
  | {
      readonly kind: 'bookmark';
      readonly resourceVersion: string;
      /** `initial-events-end` closes the list that a streaming list begins with. */
      readonly marks: 'progress' | 'initial-events-end';
    }
  | { readonly kind: 'error'; readonly error: KubeApiError };

/** Longest line accepted, in bytes. etcd takes objects of 1.5 MiB; JSON with escapes and managedFields is longer. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const KINDS = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/**
 * Decodes a watch body, with or without the managedFields of its objects. Throws {@link WatchStreamError} for anything a
 * watch does not send: the caller's picture may have a hole then, and only a new list mends it.
 */
export async function* decodeWatch(
  request: string,
  body: AsyncIterable<Uint8Array>,
  managedFields: 'keep' | 'drop' = 'keep',
): AsyncGenerator<WatchEvent> {
  const cut = managedFields === 'keep' ? undefined : (line: Buffer) => withoutManagedFields(line, 'event');
  for await (const line of splitLines(body, MAX_LINE_BYTES, cut)) {
    const event = decodeLine(request, line);
    if (managedFields === 'drop' && 'object' in event) dropManagedFields(event.object);
    yield event;
  }
}

function decodeLine(request: string, line: string): WatchEvent {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch (cause) {
    throw new WatchStreamError('a line is not JSON', { cause: stripped(cause) });
  }
  if (!isRecord(event)) throw new WatchStreamError('a line is not an object');
  const type = stringAt(event, 'type') ?? '';
  const object = valueAt(event, 'object');
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      if (readMeta(object) === undefined)
        throw new WatchStreamError(`a ${type} event has no object with a name`);
      return { kind: KINDS[type], object };
    case 'BOOKMARK':
      return bookmark(object);
    case 'ERROR':
      return { kind: 'error', error: decodeStatus(request, 500, object) };
    default:
      throw new WatchStreamError('an event has an unknown type');
  }
}

function bookmark(object: unknown): WatchEvent {
  const metadata = isRecord(object) ? recordAt(object, 'metadata') : undefined;
  const resourceVersion = metadata === undefined ? undefined : stringAt(metadata, 'resourceVersion');
  if (metadata === undefined || resourceVersion === undefined || resourceVersion === '') {
    throw new WatchStreamError('a bookmark has no resourceVersion');
  }
  const end = stringAt(recordAt(metadata, 'annotations') ?? {}, INITIAL_EVENTS_END) === 'true';
  return { kind: 'bookmark', resourceVersion, marks: end ? 'initial-events-end' : 'progress' };
}

/** V8 quotes the text in a syntax error; object contents must not travel with it. */
function stripped(cause: unknown): Error {
  return new Error(cause instanceof Error ? cause.name : 'SyntaxError');
}
