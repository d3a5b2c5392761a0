/** What is written as a table. */

export interface TableColumn {
  title: string;
  /** A day is YYYY-MM-DD. */
  type: 'text' | 'day' | 'number';
}

export type Cell = string | number | null;
export type Batch = Cell[][];
