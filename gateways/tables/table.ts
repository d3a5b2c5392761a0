/** A table that somebody uploaded, in the platform's words: rows of text, whatever kind of file it was. */

export interface TableRow {
  /** As a spreadsheet counts: the first is 1, and lines without anything count too. */
  line: number;
  /** '' where empty; days as YYYY-MM-DD, numbers as plain decimals, booleans as true and false. Without empty ones at their end. */
  cells: string[];
}

export interface TableLimits {
  /** Of the file. */
  bytes: number;
  /** Of what is unpacked from it, and of what its cells say altogether. */
  unpackedBytes: number;
  /** Below the titles. */
  rows: number;
  columns: number;
  /** Of waiting for its reader; what is done with the rows does not count. */
  seconds: number;
  /** Of the heap of its reader; what that has besides may grow as much again. */
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
  damaged: 'The file is damaged, or holds what no table needs.',
  too_large: 'The file is larger, or unpacks to more, than is taken.',
  too_many_rows: 'The table has more rows than are taken.',
  too_many_columns: 'The table has more columns than are taken.',
  empty: 'The table has no rows.',
  timeout: 'Reading the file took too long.',
};

/** A file that cannot be read as a table. Its message may be shown to whoever uploaded it. */
export class TableUnreadable extends Error {
  override readonly name = 'TableUnreadable';

  constructor(readonly reason: keyof typeof REASONS) {
    super(REASONS[reason]);
  }
}
