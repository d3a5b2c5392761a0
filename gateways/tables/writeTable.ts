/** Writes tables as files. Rows are streamed, so that only one batch is in memory. */
import { Readable } from 'node:stream';
import type { Batch, TableColumn } from './columns.js';
import { csvOf } from './csv.js';
import { xlsxOf } from './xlsx.js';

export const TABLE_FORMATS = ['csv', 'xlsx'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** The maximum number of rows below the titles of a worksheet. */
export const MAX_WORKSHEET_ROWS = 1_048_575;

/**
 * Returns the bytes of a table as a stream. No cell becomes a formula. Rows are read on demand; an error of the rows
 * ends the stream.
 */
export const writeTable = (
  format: TableFormat,
  columns: readonly TableColumn[],
  rows: AsyncIterable<Batch>,
): Readable => (format === 'csv' ? Readable.from(csvOf(columns, rows), { objectMode: false }) : xlsxOf(columns, rows));
