/** Writes CSV (RFC 4180) in UTF-8, with a byte order mark, by which spreadsheets recognize the encoding. */
import { withoutFormula } from './formulas.js';
import { type Batch, type Cell, withoutInvalidCharacters, type TableColumn } from './columns.js';

const BYTE_ORDER_MARK = '\uFEFF';
const LINE_END = '\r\n';
/**
 * Matches text that must be quoted. This includes text with semicolons or tabs, because spreadsheets of some countries
 * use them instead of the comma as the separator.
 */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

export async function* csvOf(columns: readonly TableColumn[], rows: AsyncIterable<Batch>): AsyncGenerator<Buffer> {
  yield Buffer.from(BYTE_ORDER_MARK + lineOf(columns.map(({ title }) => title)));
  for await (const batch of rows) yield Buffer.from(batch.map(lineOf).join(''));
}

const lineOf = (cells: readonly Cell[]): string => cells.map(cellOf).join(',') + LINE_END;

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = withoutFormula(withoutInvalidCharacters(cell));
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
