/** Tables as files, written as their rows come: only a batch of them is in memory. */
import { Readable } from 'node:stream';
import type { Batch, TableColumn } from './columns.js';
import { csvOf } from './csv.js';
import { xlsxOf } from './xlsx.js';

export const TABLE_FORMATS = ['csv', 'xlsx'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** The most rows below its titles that a worksheet has. */
export const MOST_WORKSHEET_ROWS = 1_048_575;

/**
 * The bytes of a table. No cell of it is a formula, whatever it holds. The rows are asked for as the bytes are read; what they throw ends
 * the stream with it.
 */
export const writeTable = (
  format: TableFormat,
  columns: readonly TableColumn[],
  rows: AsyncIterable<Batch>,
): Readable => (format === 'csv' ? Readable.from(csvOf(columns, rows), { objectMode: false }) : xlsxOf(columns, rows));
