/** Reads comma-separated values (RFC 4180), in UTF-8. */
import { createReadStream } from 'node:fs';
import { withoutFormula } from './formulas.js';
import { type TableRow, TableUnreadable } from './table.js';

const BATCH = 500;
const MOST_ROWS = 50_000;
const MOST_COLUMNS = 100;

/** Without the apostrophe that keeps a spreadsheet from taking a text for a formula. */
const asWritten = (text: string): string =>
  text.startsWith("'") && withoutFormula(text.slice(1)) === text ? text.slice(1) : text;

/** Batches of at most 500 rows, the titles first. @throws TableUnreadable */
export async function* readTable(file: string): AsyncGenerator<TableRow[]> {
  let batch: TableRow[] = [];
  let line = 0;
  for await (const cells of records(file)) {
    line += 1;
    if (cells.length > MOST_COLUMNS) throw new TableUnreadable('too_many_columns');
    if (line > MOST_ROWS + 1) throw new TableUnreadable('too_many_rows');
    batch.push({ line, cells: cells.map(asWritten) });
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (line === 0) throw new TableUnreadable('empty');
  if (batch.length > 0) yield batch;
}

async function* records(file: string): AsyncGenerator<string[]> {
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let wasQuote = false;
  let isFirst = true;
  for await (const chunk of createReadStream(file, { encoding: 'utf8' })) {
    const text = isFirst ? (chunk as string).replace(/^\uFEFF/, '') : (chunk as string);
    isFirst = false;
    if (text.includes('\0') || text.startsWith('PK')) throw new TableUnreadable('unknown_format');
    for (const sign of text) {
      if (sign === '"') {
        if (quoted || cell === '' || wasQuote) {
          if (wasQuote && !quoted) cell += '"';
          quoted = !quoted;
          wasQuote = !quoted;
        } else cell += sign;
        continue;
      }
      wasQuote = false;
      if (quoted) cell += sign;
      else if (sign === ',') {
        cells.push(cell);
        cell = '';
      } else if (sign === '\n') {
        yield [...cells, cell.replace(/\r$/, '')];
        cells = [];
        cell = '';
      } else cell += sign;
    }
  }
  if (quoted) throw new TableUnreadable('damaged');
  if (cell !== '' || cells.length > 0) yield [...cells, cell];
}
