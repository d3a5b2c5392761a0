/**
 * Reads the parts of a workbook's ZIP archive. Only the requested parts are decompressed; nested archives never are.
 */
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
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
const LOCAL_HEADER_BYTES = 30;

/**
 * Opens an archive.
 * @throws TableUnreadable
 */
export async function openArchive(file: string, limits: TableLimits): Promise<Archive> {
  const metered = meterOf(limits);
  const zip = await orDamaged(() => openPromise(file, { autoClose: false, strictFileNames: true }));
  const parts = await orDamaged(() => partsOf(zip));
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

/**
 * Returns the parts by their names in lower case. Refuses an archive in which two names differ only in case, or in
 * which entries overlap: with overlapping entries, a small archive can decompress to terabytes (ZIP bomb).
 */
async function partsOf(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_PARTS) throw new TableUnreadable('damaged');
  const parts = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase();
    if (entry.isEncrypted() || !entry.canDecodeFileData() || parts.has(name)) throw new TableUnreadable('damaged');
    parts.set(name, entry);
  }
  const inOrder = [...parts.values()].sort((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: begin, compressedSize, fileNameLength } of inOrder) {
    if (begin < end) throw new TableUnreadable('damaged');
    end = begin + LOCAL_HEADER_BYTES + fileNameLength + compressedSize;
  }
  return parts;
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
