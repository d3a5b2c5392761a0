/** Makes rows ready to be told: only what holds anything, within the limits. */
import { type TableLimits, type TableRow, TableUnreadable } from '../table.js';

const ROWS = 500;
/** As many lines as a worksheet has, empty ones too. */
const SHEET_LINES = 1_048_576;
/** So that a batch of long cells is none of gigabytes. */
const CHARACTERS = 1_000_000;
/** As many characters as spreadsheets hold in a cell. */
const CELL_CHARACTERS = 32_767;

/** @throws TableUnreadable */
export async function* batchesOf(rows: AsyncIterable<TableRow>, limits: TableLimits): AsyncGenerator<TableRow[]> {
  let batch: TableRow[] = [];
  let [isEmpty, told, inBatch] = [true, 0, 0];
  for await (const { line, cells } of rows) {
    if (line > SHEET_LINES) throw new TableUnreadable('too_many_rows');
    const used = cells.findLastIndex((cell) => cell !== '') + 1;
    if (used === 0) continue;
    if (used > limits.columns) throw new TableUnreadable('too_many_columns');
    if (line > limits.rows + 1) throw new TableUnreadable('too_many_rows');
    isEmpty = false;
    batch.push({ line, cells: cells.slice(0, used) });
    const characters = cells.reduce((sum, cell) => sum + cell.length, 0);
    told += characters;
    inBatch += characters;
    // One long text that a thousand cells share is small until it is told.
    if (told > limits.unpackedBytes) throw new TableUnreadable('too_large');
    if (batch.length < ROWS && inBatch < CHARACTERS) continue;
    yield batch;
    batch = [];
    inBatch = 0;
  }
  if (isEmpty) throw new TableUnreadable('empty');
  if (batch.length > 0) yield batch;
}

/** A cell's text of its own, not a slice that keeps what it was cut from; without what no text may hold. @throws TableUnreadable */
export function cellOf(text: string): string {
  if (text.length > CELL_CHARACTERS) throw new TableUnreadable('too_large');
  return Buffer.from(text).toString().replaceAll('\0', '\uFFFD');
}
