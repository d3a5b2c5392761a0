/** A table that somebody uploaded, in the platform's words: rows of text, whatever kind of file it was. */

export interface TableRow {
  /** As a spreadsheet counts: the first is 1, and lines without anything count too. */
  line: number;
  /** '' where empty; days as YYYY-MM-DD, numbers as plain decimals, booleans as true and false. */
  cells: string[];
}

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
