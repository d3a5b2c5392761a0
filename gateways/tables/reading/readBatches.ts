/** Reads a CSV or XLSX file in this process. Files of users are read by `readTable`, in a process of their own. */
import type { TableLimits, TableRow } from '../table.js';
import { batchesOf } from './batches.js';
import { csvRows } from './csv.js';
import { kindOf } from './kind.js';
import { xlsxRows } from './xlsx.js';

/**
 * Yields batches of rows. The format is detected from the content.
 * @throws TableUnreadable
 */
export async function* readBatches(file: string, limits: TableLimits): AsyncGenerator<TableRow[]> {
  const kind = await kindOf(file);
  yield* batchesOf(kind === 'xlsx' ? xlsxRows(file, limits) : csvRows(file, limits), limits);
}
