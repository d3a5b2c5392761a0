/** Looks after what is unpacked: how much it is, and what it makes of this process. */
import { type TableLimits, TableUnreadable } from '../table.js';

const MEGABYTE = 1024 * 1024;

export type Meter = (bytes: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;

/** Counts all that goes through it, whatever sizes the file claims. It throws TableUnreadable `too_large` at the first byte too many. */
export function meterOf({ unpackedBytes, megabytes }: TableLimits): Meter {
  let left = unpackedBytes;
  const most = process.memoryUsage.rss() + 2 * megabytes * MEGABYTE;
  return async function* metered(bytes) {
    for await (const chunk of bytes) {
      left -= chunk.length;
      if (left < 0 || process.memoryUsage.rss() > most) throw new TableUnreadable('too_large');
      yield chunk;
    }
  };
}
