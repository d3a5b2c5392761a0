/** Reads the rows of a sheet. Formulas are never computed: a cell has the value that the file stored last. */
import { type TableRow, TableUnreadable } from '../table.js';
import { cellOf } from './batches.js';
import { richText, textOf } from './sharedTexts.js';
import { dayOf, decimalOf } from './values.js';
import { parseXml } from './xml.js';

/** The parts of the workbook to which cells refer. */
interface WorkbookFacts {
  texts: readonly string[];
  dayStyles: ReadonlySet<number>;
  since1904: boolean;
}

interface OpenCell {
  column: number;
  type: string;
  style: number;
  value: string;
}

/**
 * Yields the rows of a sheet.
 * @throws TableUnreadable
 */
export async function* sheetRows(
  bytes: AsyncIterable<Buffer>,
  workbook: WorkbookFacts,
  maxColumns: number,
): AsyncGenerator<TableRow> {
  const rows: TableRow[] = [];
  const rich = richText();
  let row: TableRow = { line: 0, cells: [] };
  let cell: OpenCell | null = null;
  let [column, isInData, isValue, wasInData] = [0, false, false, false];
  const pieces = parseXml(bytes, {
    open(name, attribute) {
      if (name === 'sheetData') isInData = true;
      if (!isInData) return;
      if (name === 'row') {
        row = { line: lineOf(attribute('r'), row.line), cells: [] };
        column = 0;
      } else if (name === 'c') {
        column = columnOf(attribute('r'), row.line, column);
        cell = { column, type: attribute('t') ?? 'n', style: Number(attribute('s') ?? 0), value: '' };
      } else if (name === 'v') isValue = true;
      rich.open(name);
    },
    text(text) {
      rich.text(text);
      if (isValue && cell) cell.value += text;
    },
    close(name) {
      if (!isInData) return;
      rich.close(name);
      if (name === 'v') isValue = false;
      else if (name === 'c' && cell) {
        const text = textOfCell(cell, rich.take(), workbook);
        if (text !== '' && cell.column > maxColumns) throw new TableUnreadable('too_many_columns');
        if (text !== '') row.cells[cell.column - 1] = text;
        cell = null;
      } else if (name === 'row' && row.cells.length > 0)
        rows.push({ ...row, cells: Array.from(row.cells, (one) => one ?? '') });
      else if (name === 'sheetData') [isInData, wasInData] = [false, true];
    },
  });
  while (!(await pieces.next()).done) yield* rows.splice(0);
  yield* rows.splice(0);
  if (!wasInData) throw new TableUnreadable('damaged');
}

/**
 * Returns the text of a cell.
 * @throws TableUnreadable
 */
function textOfCell({ type, style, value }: OpenCell, inline: string, workbook: WorkbookFacts): string {
  if (type === 'inlineStr') return inline;
  if (value === '') return '';
  if (type === 's') return textOf(workbook.texts, value);
  if (type === 'b') return value === '1' || value === 'true' ? 'true' : 'false';
  if (type === 'd') return cellOf(/^\d{4}-\d\d-\d\d/.exec(value)?.[0] ?? value);
  if (type !== 'n') return cellOf(value);
  return workbook.dayStyles.has(style) ? dayOf(value, workbook.since1904) : decimalOf(value);
}

/**
 * Returns the line number of a row, which must be greater than that of the row before.
 * @throws TableUnreadable
 */
function lineOf(given: string | undefined, before: number): number {
  const line = given === undefined ? before + 1 : Number(given);
  if (!Number.isSafeInteger(line) || line <= before) throw new TableUnreadable('damaged');
  return line;
}

/**
 * Returns the column of a cell (A is 1), which must be in its row and follow the previous one.
 * @throws TableUnreadable
 */
function columnOf(given: string | undefined, line: number, before: number): number {
  if (given === undefined) return before + 1;
  const [, letters = '', digits] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(given) ?? [];
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  if (Number(digits) !== line || column <= before) throw new TableUnreadable('damaged');
  return column;
}
