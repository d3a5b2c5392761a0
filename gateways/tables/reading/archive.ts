/**
 * Reads the parts of a workbook's ZIP archive. Only the requested parts are decompressed; nested archives never are.
 */
import type { Readable } from 'node:stream';
import { openPromise } from 'yauzl';
import { readArchiveEntries } from '../../archives/archiveEntries.js';
import { type TableLimits, TableUnreadable } from '../table.js';
import { meterOf } from './meter.js';

export interface Archive {
  has(name: string): boolean;
  /**
   * Returns the decompressed bytes of a part.
   * @throws TableUnreadable; `damaged` also for a missing part
   */
  read(name: string): AsyncGenerator<Buffer>;
  close(): void;
}

/** Maximum number of parts; a workbook with hundreds of sheets has fewer. */
const MAX_PARTS = 2_000;

/**
 * Opens an archive.
 * @throws TableUnreadable
 */
export async function openArchive(file: string, limits: TableLimits): Promise<Archive> {
  const metered = meterOf(limits);
  const zip = await orDamaged(() => openPromise(file, { autoClose: false, strictFileNames: true }));
  const parts = await orDamaged(() => readArchiveEntries(zip, MAX_PARTS));
  return {
    has: (name) => parts.has(name.toLowerCase()),
    async *read(name) {
      const part = parts.get(name.toLowerCase());
      if (!part) throw new TableUnreadable('damaged');
      const bytes = await orDamaged(() => zip.openReadStreamPromise(part));
      yield* metered(decompressed(bytes));
    },
    close: () => zip.close(),
  };
}

async function* decompressed(bytes: Readable): AsyncGenerator<Buffer> {
  const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer, void>;
  try {
    for (;;) {
      const { done, value } = await orDamaged(() => chunks.next());
      if (done) return;
      yield value;
    }
  } finally {
    bytes.destroy();
  }
}

/**
 * Treats every error of the ZIP library as a damaged file: wrong sizes, paths outside of the archive, broken streams.
 */
async function orDamaged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TableUnreadable ? error : new TableUnreadable('damaged');
  }
}
