/** The parts of a workbook's archive. Only those that are asked for are unpacked, and no archive within it ever is. */
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type TableLimits, TableUnreadable } from '../table.js';
import { meterOf } from './metered.js';

export interface Archive {
  has(name: string): boolean;
  /** Its bytes as they are unpacked. @throws TableUnreadable `damaged` when it is not there, too */
  read(name: string): AsyncGenerator<Buffer>;
  close(): void;
}

/** Of a workbook with hundreds of sheets. */
const MOST_PARTS = 2_000;
const LOCAL_HEADER_BYTES = 30;

/** @throws TableUnreadable */
export async function openArchive(file: string, limits: TableLimits): Promise<Archive> {
  const metered = meterOf(limits);
  const zip = await soundly(() => openPromise(file, { autoClose: false, strictFileNames: true }));
  const parts = await soundly(() => partsOf(zip));
  return {
    has: (name) => parts.has(name.toLowerCase()),
    async *read(name) {
      const part = parts.get(name.toLowerCase());
      if (!part) throw new TableUnreadable('damaged');
      const bytes = await soundly(() => zip.openReadStreamPromise(part));
      yield* metered(unpacked(bytes));
    },
    close: () => zip.close(),
  };
}

/** Names of parts differ in more than case. Two entries never share bytes: that is how a small archive unpacks to terabytes. */
async function partsOf(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MOST_PARTS) throw new TableUnreadable('damaged');
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

async function* unpacked(bytes: Readable): AsyncGenerator<Buffer> {
  const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer, void>;
  try {
    for (;;) {
      const { done, value } = await soundly(() => chunks.next());
      if (done) return;
      yield value;
    }
  } finally {
    bytes.destroy();
  }
}

/** Whatever an archive's reader says of it, it is damaged: sizes that lie, paths that lead out of it, streams that break off. */
async function soundly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TableUnreadable ? error : new TableUnreadable('damaged');
  }
}
