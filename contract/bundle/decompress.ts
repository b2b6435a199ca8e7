// Uncompressed bytes of a layer, piece by piece. How it is compressed is told by its first bytes, not by its media type.
import { createGunzip, createZstdDecompress, gunzipSync } from 'node:zlib';

/** What is small enough to be unpacked on the spot, compressed and uncompressed, in bytes. */
const SMALL = { compressed: 64 * 1024, uncompressed: 512 * 1024 } as const;

/** Hands pieces to `take` until it returns false or there are none left. Rejects when the bytes are corrupt. */
export async function decompress(layer: Uint8Array, take: (piece: Uint8Array) => boolean): Promise<void> {
  const compression = compressionOf(layer);
  if (compression === 'none') {
    take(layer);
    return;
  }
  const whole = compression === 'gzip' ? gunzipSmall(layer) : undefined;
  if (whole !== undefined) {
    take(whole);
    return;
  }
  const stream = compression === 'gzip' ? createGunzip() : createZstdDecompress();
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  // The loop below throws it; without a listener it would also end the process when the loop is left early.
  stream.on('error', () => undefined);
  try {
    stream.end(layer);
    for await (const piece of stream as AsyncIterable<Uint8Array>) if (!take(piece)) break;
  } finally {
    stream.destroy();
    await closed;
  }
}

function compressionOf(bytes: Uint8Array): 'gzip' | 'zstd' | 'none' {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd ? 'zstd' : 'none';
}

/** Setting up a stream costs more than unpacking a usual bundle. Undefined when it turns out large. */
function gunzipSmall(layer: Uint8Array): Uint8Array | undefined {
  if (layer.length > SMALL.compressed) return undefined;
  try {
    return gunzipSync(layer, { maxOutputLength: SMALL.uncompressed });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}
