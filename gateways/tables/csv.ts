/** RFC 4180 in UTF-8. The mark at its beginning tells spreadsheets so. */
import { withoutFormula } from './formulas.js';
import { type Batch, type Cell, sayable, type TableColumn } from './columns.js';

const MARK = '\uFEFF';
const END = '\r\n';
/** Of any separator: the spreadsheets of some countries part cells by another one. */
const QUOTED = /[",;\t\r\n]|^\s|\s$/;

export async function* csvOf(columns: readonly TableColumn[], rows: AsyncIterable<Batch>): AsyncGenerator<Buffer> {
  yield Buffer.from(MARK + lineOf(columns.map(({ title }) => title)));
  for await (const batch of rows) yield Buffer.from(batch.map(lineOf).join(''));
}

const lineOf = (cells: readonly Cell[]): string => cells.map(cellOf).join(',') + END;

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = withoutFormula(sayable(cell));
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
