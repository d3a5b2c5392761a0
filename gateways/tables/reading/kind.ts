/** Tells files apart by how they begin; a name says nothing. */
import { open } from 'node:fs/promises';
import { TableUnreadable } from '../table.js';

const ARCHIVE = Buffer.from('PK\x03\x04', 'latin1');
/** Older workbooks, and those with a password, are compound files. */
const OTHERS = [Buffer.from('D0CF11E0A1B11AE1', 'hex'), Buffer.from('%PDF-'), Buffer.from('{\\rtf')];
/** Pages and data that somebody saved under another name. */
const MARKUP = /^(\uFEFF|ï»¿)?\s*(<[!?a-z]|\{\s*"|\[\s*[[{"])/i;

/** @throws TableUnreadable */
export async function kindOf(file: string): Promise<'csv' | 'xlsx'> {
  const head = await headOf(file, 512);
  if (head.length === 0) throw new TableUnreadable('empty');
  const begins = (mark: Buffer) => head.subarray(0, mark.length).equals(mark);
  if (begins(ARCHIVE)) return 'xlsx';
  if (OTHERS.some(begins) || MARKUP.test(head.toString('latin1'))) throw new TableUnreadable('unknown_format');
  return 'csv';
}

/** At most so many bytes of its beginning. */
export async function headOf(file: string, bytes: number): Promise<Buffer> {
  const opened = await open(file);
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await opened.close();
  }
}
