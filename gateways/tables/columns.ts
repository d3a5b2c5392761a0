/** What is written as a table. */

export interface TableColumn {
  title: string;
  /** A day is YYYY-MM-DD; money a decimal number as text, exact, which no import takes. */
  type: 'text' | 'day' | 'number' | 'money';
}

export type Cell = string | number | null;
export type Batch = Cell[][];

/** Text without signs that no table holds: XML cannot say them, and a text that has them passes for none. Nobody typed them. */
export const sayable = (text: string): string =>
  text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
