/**
 * A workbook of one sheet (ECMA-376), and perhaps one that says what is in it, whose cells hold their text themselves: a table of shared texts would be in memory as
 * a whole. Cells say what they are; of rows none says formula.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type Batch, type Cell, sayable, type TableColumn } from './columns.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** @param name of the sheet. @param more whether there is a second one */
const partsOf = (name: string, more: boolean): Record<string, string> => ({
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${more ? `<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${TYPE}.worksheet+xml"/>` : ''}</Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/>${more ? '<sheet name="About" sheetId="2" r:id="rId3"/>' : ''}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/>${more ? `<Relationship Id="rId3" Type="${RELATIONS}/worksheet" Target="worksheets/sheet2.xml"/>` : ''}</Relationships>`,
  // Cells are of format 0 (any), 1 (text, which stays text when somebody edits it) 2 (a day) or 3 (an amount).
  'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
});

/** A sum of a column under the rows: one of those of a currency, which the sheet computes, and its value by now. */
export interface Total {
  currency: string;
  /** By the column's place: a decimal number, exact. */
  sums: ReadonlyMap<number, string>;
}

/** What a workbook has beside its rows. */
export interface Beside {
  name: string;
  /** The column that says of which currency a row is. */
  currencyColumn: number;
  /** Asked once the last row is written. */
  totals: () => readonly Total[];
  /** What the second sheet says. */
  about: readonly (readonly [name: string, value: string])[];
}

export function xlsxOf(columns: readonly TableColumn[], rows: AsyncIterable<Batch>, beside?: Beside): Readable {
  const zip = new ZipFile();
  const parts = partsOf(beside?.name ?? 'Sheet1', beside !== undefined);
  if (beside) parts['xl/worksheets/sheet2.xml'] = aboutSheet(beside.about);
  for (const [name, part] of Object.entries(parts)) zip.addBuffer(Buffer.from(XML + part), name);
  const sheet = Readable.from(sheetOf(columns, rows, beside), { objectMode: false });
  const bytes = zip.outputStream as Readable;
  sheet.once('error', (error) => bytes.destroy(error));
  // Nobody asks for more of the archive: its rows are let go.
  bytes.once('close', () => sheet.destroy());
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml');
  zip.end();
  return bytes;
}

const aboutSheet = (lines: Beside['about']): string =>
  `<worksheet xmlns="${MAIN}"><sheetData>${lines
    .map((cells, n) => {
      const texts = cells.map((cell, at) => cellOf(`${lettersOf(at)}${n + 1}`, 'text', cell));
      return `<row r="${n + 1}">${texts.join('')}</row>`;
    })
    .join('')}</sheetData></worksheet>`;

const HEAD = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;

async function* sheetOf(
  columns: readonly TableColumn[],
  rows: AsyncIterable<Batch>,
  beside: Beside | undefined,
): AsyncGenerator<Buffer> {
  const letters = columns.map((_, n) => lettersOf(n));
  let line = 1;
  const rowOf = (cells: readonly Cell[], types: readonly TableColumn['type'][]): string => {
    const texts = cells.map((cell, n) => cellOf(`${letters[n]}${line}`, types[n] ?? 'text', cell));
    return `<row r="${line++}">${texts.join('')}</row>`;
  };
  yield Buffer.from(
    HEAD +
      rowOf(
        columns.map(({ title }) => title),
        [],
      ),
  );
  const types = columns.map(({ type }) => type);
  for await (const batch of rows) yield Buffer.from(batch.map((row) => rowOf(row, types)).join(''));
  const last = line - 1;
  if (beside)
    for (const total of beside.totals()) yield Buffer.from(totalRow(line++, last, total, beside.currencyColumn));
  const filter = beside ? `<autoFilter ref="A1:${letters.at(-1)}${last}"/>` : '';
  yield Buffer.from(`</sheetData>${filter}</worksheet>`);
}

/** The sums of one currency, of the rows from the second line to the last. */
function totalRow(line: number, last: number, { currency, sums }: Total, currencyColumn: number): string {
  const range = (column: number) => `${lettersOf(column)}2:${lettersOf(column)}${last}`;
  const cells = [[currencyColumn, cellOf(`${lettersOf(currencyColumn)}${line}`, 'text', currency)] as const];
  for (const [column, sum] of sums) {
    const formula = `SUMIF(${range(currencyColumn)},&quot;${escaped(currency)}&quot;,${range(column)})`;
    cells.push([column, `<c r="${lettersOf(column)}${line}" s="3"><f>${formula}</f><v>${sum}</v></c>`] as const);
  }
  const inOrder = cells.toSorted(([one], [two]) => one - two).map(([, cell]) => cell);
  return `<row r="${line}">${inOrder.join('')}</row>`;
}

/** What a spreadsheet calls its nth column: A, …, Z, AA. */
const lettersOf = (n: number): string =>
  (n < 26 ? '' : lettersOf(Math.floor(n / 26) - 1)) + String.fromCodePoint(65 + (n % 26));

function cellOf(place: string, type: TableColumn['type'], cell: Cell): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (type === 'money') return `<c r="${place}" s="3"><v>${cell}</v></c>`;
  const serial = type === 'day' ? serialOf(cell) : null;
  if (serial !== null) return `<c r="${place}" s="2"><v>${serial}</v></c>`;
  return `<c r="${place}" s="1" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

/** Days are counted from here, after the 29 February 1900 that spreadsheets believe in. */
const FIRST_DAY = Date.UTC(1899, 11, 30);
const FIRST_SURE_DAY = '1900-03-01';
const DAY_MS = 86_400_000;

/** The number that a day is in a workbook; null of one before their calendar, which stays text. */
const serialOf = (day: string): number | null =>
  day < FIRST_SURE_DAY ? null : (Date.parse(`${day}T00:00:00Z`) - FIRST_DAY) / DAY_MS;

const MARKUP: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

const escaped = (text: string): string =>
  sayable(text)
    // Spreadsheets read `_x0041_` as the sign of that number.
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>"\r]/g, (sign) => MARKUP[sign] as string);
