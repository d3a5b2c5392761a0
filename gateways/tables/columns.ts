/** Columns and cells, as the writers of CSV files and workbooks take them. */

export interface TableColumn {
  title: string;
  /** A day is YYYY-MM-DD. Money is an exact decimal number as text; imports have no money columns. */
  type: 'text' | 'day' | 'number' | 'money';
}

export type Cell = string | number | null;
export type Batch = Cell[][];

/** Returns text without characters that XML does not allow, which would make a file invalid. */
export const withoutInvalidCharacters = (text: string): string =>
  text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
