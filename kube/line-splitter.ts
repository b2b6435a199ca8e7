// Bytes to lines: splits a stream of chunks at newlines, whole UTF-8 only, with a limit on how long a line may be.
import { joined } from './joined.ts';

/** The stream is not what a watch sends; the message names the flaw, never the content. */
export class WatchStreamError extends Error {
  override readonly name = 'WatchStreamError';
  readonly code = 'WATCH_STREAM_MALFORMED';
}

const NEWLINE = 0x0a;

/**
 * Yields each non-empty line as text, of which `cut` may leave bytes out before they are read. Throws
 * {@link WatchStreamError} for a line of more than `maxBytes`, for bytes that are not UTF-8, and for a last line without
 * its newline: one that was cut off must not look like a short object.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  cut: (line: Buffer) => Buffer = (line) => line,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  const take = (end: Uint8Array): string => {
    const bytes = joined([...pending, end]);
    pending = [];
    pendingBytes = 0;
    try {
      return decoder.decode(cut(bytes));
    } catch (cause) {
      throw new WatchStreamError('a line is not valid UTF-8', { cause });
    }
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (pendingBytes + end - start > maxBytes) throw tooLong(maxBytes);
      const line = take(chunk.subarray(start, end));
      start = end + 1;
      if (line.trim() !== '') yield line;
    }
    if (start < chunk.length) {
      pending.push(chunk.subarray(start));
      pendingBytes += chunk.length - start;
      if (pendingBytes > maxBytes) throw tooLong(maxBytes);
    }
  }
  if (pendingBytes > 0) throw new WatchStreamError('the stream ended within a line');
}

function tooLong(maxBytes: number): WatchStreamError {
  return new WatchStreamError(`a line is longer than ${maxBytes} bytes`);
}
