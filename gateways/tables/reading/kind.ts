/** Detects the format of a file by its first bytes; its name is ignored. */
import { open } from 'node:fs/promises';
import { TableUnreadable } from '../table.js';

const ARCHIVE = Buffer.from('PK\x03\x04', 'latin1');
/** Refused formats. Older workbooks, and workbooks with a password, are compound files. */
const REFUSED_FORMATS = [Buffer.from('D0CF11E0A1B11AE1', 'hex'), Buffer.from('%PDF-'), Buffer.from('{\\rtf')];
/** Matches the beginning of HTML, XML or JSON, which may be in a file with the extension of a table. */
const MARKUP = /^(\uFEFF|ï»¿)?\s*(<[!?a-z]|\{\s*"|\[\s*[[{"])/i;

/**
 * Returns the format.
 * @throws TableUnreadable
 */
export async function kindOf(file: string): Promise<'csv' | 'xlsx'> {
  const head = await headOf(file, 512);
  if (head.length === 0) throw new TableUnreadable('empty');
  const begins = (mark: Buffer) => head.subarray(0, mark.length).equals(mark);
  if (begins(ARCHIVE)) return 'xlsx';
  if (REFUSED_FORMATS.some(begins) || MARKUP.test(head.toString('latin1'))) throw new TableUnreadable('unknown_format');
  return 'csv';
}

/** Returns up to `bytes` bytes from the beginning of a file. */
export async function headOf(file: string, bytes: number): Promise<Buffer> {
  const fileHandle = await open(file);
  try {
    const { buffer, bytesRead } = await fileHandle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await fileHandle.close();
  }
}
