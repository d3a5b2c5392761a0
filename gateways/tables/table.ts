/** An uploaded table: rows of text, independent of the file format. */

export interface TableRow {
  /** The line number of spreadsheets: the first line is 1, and empty lines count. */
  line: number;
  /**
   * Texts of the cells, '' for an empty cell: days as YYYY-MM-DD, numbers as plain decimals, booleans as true and
   * false. Empty cells at the end are left out.
   */
  cells: string[];
}

export interface TableLimits {
  /** Maximum size of the file, in bytes. */
  bytes: number;
  /** Maximum size of the decompressed contents, and maximum total length of all cells. */
  unpackedBytes: number;
  /** Maximum number of rows below the titles. */
  rows: number;
  columns: number;
  /** Maximum time to wait for the reader process, in seconds. The caller's own work is not counted. */
  seconds: number;
  /** Maximum heap of the reader process, in megabytes. Its other memory may be as large again. */
  megabytes: number;
}

export const TABLE_LIMITS: TableLimits = {
  bytes: 20 * 1024 * 1024,
  unpackedBytes: 200 * 1024 * 1024,
  rows: 50_000,
  columns: 100,
  seconds: 120,
  megabytes: 192,
};

const REASONS = {
  unknown_format: 'The file is neither a CSV text nor an XLSX workbook.',
  damaged: 'The file is damaged, or contains parts that a table does not need.',
  too_large: 'The file, or its decompressed content, is larger than the limit.',
  too_many_rows: 'The table has more rows than the limit.',
  too_many_columns: 'The table has more columns than the limit.',
  empty: 'The table has no rows.',
  timeout: 'Reading the file took too long.',
};

/** A file that cannot be read as a table. Its message may be shown to the person who uploaded it. */
export class TableUnreadable extends Error {
  override readonly name = 'TableUnreadable';

  constructor(readonly reason: keyof typeof REASONS) {
    super(REASONS[reason]);
  }
}
