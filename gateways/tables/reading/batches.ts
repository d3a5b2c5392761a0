/** Groups the rows of a table into batches. Leaves out empty rows, and refuses a table that exceeds the limits. */
import { type TableLimits, type TableRow, TableUnreadable } from '../table.js';

const BATCH_ROWS = 500;
/** The maximum number of lines of a worksheet, including empty ones. */
const MAX_SHEET_LINES = 1_048_576;
/** Limits the size of a batch with long cells. */
const BATCH_CHARACTERS = 1_000_000;
/** The maximum length of a cell in spreadsheets. */
const MAX_CELL_CHARACTERS = 32_767;

/**
 * Yields batches of rows.
 * @throws TableUnreadable
 */
export async function* batchesOf(rows: AsyncIterable<TableRow>, limits: TableLimits): AsyncGenerator<TableRow[]> {
  let batch: TableRow[] = [];
  let [isEmpty, totalCharacters, inBatch] = [true, 0, 0];
  for await (const { line, cells } of rows) {
    if (line > MAX_SHEET_LINES) throw new TableUnreadable('too_many_rows');
    const used = cells.findLastIndex((cell) => cell !== '') + 1;
    if (used === 0) continue;
    if (used > limits.columns) throw new TableUnreadable('too_many_columns');
    if (line > limits.rows + 1) throw new TableUnreadable('too_many_rows');
    isEmpty = false;
    batch.push({ line, cells: cells.slice(0, used) });
    const characters = cells.reduce((sum, cell) => sum + cell.length, 0);
    totalCharacters += characters;
    inBatch += characters;
    // The size of the output is limited separately from the size of the file: if many cells share a long text, the file
    // is small, but the output is large.
    if (totalCharacters > limits.unpackedBytes) throw new TableUnreadable('too_large');
    if (batch.length < BATCH_ROWS && inBatch < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    inBatch = 0;
  }
  if (isEmpty) throw new TableUnreadable('empty');
  if (batch.length > 0) yield batch;
}

/**
 * Returns a copy of a cell's text, so that the larger string from which it was cut can be freed. Replaces zero
 * characters.
 * @throws TableUnreadable
 */
export function cellOf(text: string): string {
  if (text.length > MAX_CELL_CHARACTERS) throw new TableUnreadable('too_large');
  return Buffer.from(text).toString().replaceAll('\0', '\uFFFD');
}
