/**
 * A workbook of one sheet (ECMA-376), whose cells hold their text themselves: a table of shared texts would be in memory as
 * a whole. Cells say what they are, and none says formula.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type Batch, type Cell, sayable, type TableColumn } from './columns.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const PARTS: Record<string, string> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  // Cells are of format 0 (any), 1 (text, which stays text when somebody edits it) or 2 (a day).
  'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
};

export function xlsxOf(columns: readonly TableColumn[], rows: AsyncIterable<Batch>): Readable {
  const zip = new ZipFile();
  for (const [name, part] of Object.entries(PARTS)) zip.addBuffer(Buffer.from(XML + part), name);
  const sheet = Readable.from(sheetOf(columns, rows), { objectMode: false });
  const bytes = zip.outputStream as Readable;
  sheet.once('error', (error) => bytes.destroy(error));
  // Nobody asks for more of the archive: its rows are let go.
  bytes.once('close', () => sheet.destroy());
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml');
  zip.end();
  return bytes;
}

const HEAD = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;

async function* sheetOf(columns: readonly TableColumn[], rows: AsyncIterable<Batch>): AsyncGenerator<Buffer> {
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
  yield Buffer.from('</sheetData></worksheet>');
}

/** What a spreadsheet calls its nth column: A, …, Z, AA. */
const lettersOf = (n: number): string =>
  (n < 26 ? '' : lettersOf(Math.floor(n / 26) - 1)) + String.fromCodePoint(65 + (n % 26));

function cellOf(place: string, type: TableColumn['type'], cell: Cell): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
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
