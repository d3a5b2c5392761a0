/** Limits the decompressed bytes, and the memory of this process. */
import { type TableLimits, TableUnreadable } from '../table.js';

const MEGABYTE = 1024 * 1024;

export type Meter = (bytes: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;

/**
 * Returns a meter that counts all bytes that pass through it, regardless of the sizes that are stated in the file.
 * Above the limit it throws TableUnreadable `too_large`.
 */
export function meterOf({ unpackedBytes, megabytes }: TableLimits): Meter {
  let remaining = unpackedBytes;
  const maxMemory = process.memoryUsage.rss() + 2 * megabytes * MEGABYTE;
  return async function* metered(bytes) {
    for await (const chunk of bytes) {
      remaining -= chunk.length;
      if (remaining < 0 || process.memoryUsage.rss() > maxMemory) throw new TableUnreadable('too_large');
      yield chunk;
    }
  };
}
