/**
 * Writes a workbook with one sheet (ECMA-376), and optionally a second sheet that describes it. Cells contain their
 * text inline: a table of shared strings would have to be in memory as a whole. Cells of rows have explicit types, and
 * none of them is a formula.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type Batch, type Cell, withoutInvalidCharacters, type TableColumn } from './columns.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/**
 * Returns the parts of the archive.
 * @param name the name of the sheet
 * @param more whether there is a second sheet
 */
const partsOf = (name: string, more: boolean): Record<string, string> => ({
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${more ? `<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${TYPE}.worksheet+xml"/>` : ''}</Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/>${more ? '<sheet name="About" sheetId="2" r:id="rId3"/>' : ''}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/>${more ? `<Relationship Id="rId3" Type="${RELATIONS}/worksheet" Target="worksheets/sheet2.xml"/>` : ''}</Relationships>`,
  // The formats of cells: 0 (general), 1 (text, which stays text when it is edited), 2 (a day), 3 (an amount).
  'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
});

/** The totals of one currency below the rows: a formula for each column, with its present value. */
export interface Total {
  currency: string;
  /** The exact decimal sum by column index. */
  sums: ReadonlyMap<number, string>;
}

/** Optional contents of a workbook: the name of its sheet, totals below the rows, and a second sheet. */
export interface WorkbookExtras {
  name: string;
  /** The index of the column with the currency of a row. */
  currencyColumn: number;
  /** Called after the last row is written. */
  totals: () => readonly Total[];
  /** The lines of the second sheet. */
  about: readonly (readonly [name: string, value: string])[];
}

export function xlsxOf(columns: readonly TableColumn[], rows: AsyncIterable<Batch>, extras?: WorkbookExtras): Readable {
  const zip = new ZipFile();
  const parts = partsOf(extras?.name ?? 'Sheet1', extras !== undefined);
  if (extras) parts['xl/worksheets/sheet2.xml'] = aboutSheet(extras.about);
  for (const [name, part] of Object.entries(parts)) zip.addBuffer(Buffer.from(XML + part), name);
  const sheet = Readable.from(sheetOf(columns, rows, extras), { objectMode: false });
  const bytes = zip.outputStream as Readable;
  sheet.once('error', (error) => bytes.destroy(error));
  // Stops reading the rows when the archive is not read any more.
  bytes.once('close', () => sheet.destroy());
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml');
  zip.end();
  return bytes;
}

const aboutSheet = (lines: WorkbookExtras['about']): string =>
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
  extras: WorkbookExtras | undefined,
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
  if (extras)
    for (const total of extras.totals()) yield Buffer.from(totalRow(line++, last, total, extras.currencyColumn));
  const filter = extras ? `<autoFilter ref="A1:${letters.at(-1)}${last}"/>` : '';
  yield Buffer.from(`</sheetData>${filter}</worksheet>`);
}

/** Returns the row with the totals of one currency, which cover the rows from line 2 to `last`. */
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

/** Returns the name of a column by its index: A, …, Z, AA. */
const lettersOf = (n: number): string =>
  (n < 26 ? '' : lettersOf(Math.floor(n / 26) - 1)) + String.fromCodePoint(65 + (n % 26));

function cellOf(reference: string, type: TableColumn['type'], cell: Cell): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (type === 'money') return `<c r="${reference}" s="3"><v>${cell}</v></c>`;
  const serial = type === 'day' ? serialOf(cell) : null;
  if (serial !== null) return `<c r="${reference}" s="2"><v>${serial}</v></c>`;
  return `<c r="${reference}" s="1" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

/**
 * Day 0 of serial numbers. It is correct only from 1 March 1900 on, because spreadsheets count 29 February 1900, which
 * did not exist.
 */
const FIRST_DAY = Date.UTC(1899, 11, 30);
const FIRST_CONVERTED_DAY = '1900-03-01';
const DAY_MS = 86_400_000;

/** Returns the serial number of a day; null for an earlier day, which stays text. */
const serialOf = (day: string): number | null =>
  day < FIRST_CONVERTED_DAY ? null : (Date.parse(`${day}T00:00:00Z`) - FIRST_DAY) / DAY_MS;

const MARKUP: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

const escaped = (text: string): string =>
  withoutInvalidCharacters(text)
    // Spreadsheets read text such as `_x0041_` as an escaped character, so its first underscore is escaped.
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>"\r]/g, (sign) => MARKUP[sign] as string);
