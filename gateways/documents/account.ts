/** A printed account: whose it is, what it says in the head, a table that breaks over pages, and how many pages there are. */
import { setImmediate as others } from 'node:timers/promises';
import { BOLD, collect, drawable, REGULAR } from './text.js';

export interface Column {
  title: string;
  /** Of the width of the page. */
  share: number;
  isAmount?: true;
}

export interface AccountDocument {
  title: string;
  /** Who speaks. */
  organization: string;
  /** `hsl(210, 50%, 40%)`; null: black. */
  color: string | null;
  /** What stands under names, above the table. */
  head: readonly (readonly [name: string, value: string])[];
  columns: readonly Column[];
  rows: readonly (readonly string[])[];
  /** What it comes to, under the table. */
  totals: readonly (readonly [name: string, value: string])[];
  /** The last line: as of when it holds. */
  asOf: string;
}

const MARGIN = 48;
const FOOT = 24;
const GAP = 6;
const TALLEST_ROW = 500;
/** Rows after which others have a turn. */
const ROWS_AT_ONCE = 50;

type Document = PDFKit.PDFDocument;

/** The document as a tagged PDF (ISO 14289): a reader hears headings, and of each cell which column it is of. */
export async function accountPdf(given: AccountDocument): Promise<Buffer> {
  // Few processes ever draw one, and it takes much memory.
  const { default: Pdf } = await import('pdfkit');
  const document = new Pdf({
    size: 'LETTER',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOT },
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: drawable(given.title), Author: drawable(given.organization) },
  });
  const done = collect(document);
  const whole = document.struct('Document');
  document.addStructure(whole);
  const say = (tag: string, draw: () => void) => whole.add(document.struct(tag, {}, draw));
  band(document, given.color);
  say('P', () => document.font(BOLD).fontSize(11).fillColor('#444').text(drawable(given.organization)));
  say('H1', () => document.font(BOLD).fontSize(18).fillColor('black').text(drawable(given.title)));
  document.fontSize(9).moveDown(0.5);
  for (const [name, value] of given.head) say('P', () => named(document, name, value));
  document.moveDown();
  await drawTable(document, given, whole);
  document.moveDown();
  document.x = MARGIN;
  for (const [name, value] of given.totals) say('P', () => named(document, name, value));
  document.moveDown();
  say('P', () => document.font(REGULAR).text(drawable(given.asOf)));
  whole.end();
  number(document);
  document.end();
  return done;
}

function named(document: Document, name: string, value: string): void {
  document
    .font(BOLD)
    .text(`${drawable(name)}: `, { continued: true })
    .font(REGULAR)
    .text(drawable(value));
}

/** A stripe in the organization's colour: nothing that a reader is to hear. */
function band(document: Document, color: string | null): void {
  document.markContent('Artifact', { type: 'Layout' });
  document.rect(0, 0, document.page.width, 10).fill(rgb(color));
  document.endMarkedContent();
}

async function drawTable(
  document: Document,
  { columns, rows }: AccountDocument,
  whole: PDFKit.PDFStructureElement,
): Promise<void> {
  const width = document.page.width - 2 * MARGIN;
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  const widths = columns.map(({ share }) => (width * share) / shares - GAP);
  const lefts = columns.map((_, n) => MARGIN + widths.slice(0, n).reduce((sum, one) => sum + one + GAP, 0));
  const bottom = () => document.page.height - MARGIN - FOOT;
  const table = document.struct('Table');
  whole.add(table);

  const drawRow = (cells: readonly string[], tag: 'TH' | 'TD'): void => {
    document
      .font(tag === 'TH' ? BOLD : REGULAR)
      .fontSize(9)
      .fillColor('black');
    const texts = cells.map((text) => drawable(text).replace(/\s+/g, ' '));
    const heights = texts.map((text, n) => document.heightOfString(text, { width: widths[n] as number }));
    // What no page has room for is cut: a row never breaks, so that amounts stay beside what they are of.
    const height = Math.min(Math.max(...heights), TALLEST_ROW);
    if (document.y + height > bottom()) {
      document.addPage();
      if (tag === 'TD') {
        drawRow(
          columns.map(({ title }) => title),
          'TH',
        );
        document.font(REGULAR);
      }
    }
    const top = document.y;
    const row = document.struct('TR');
    table.add(row);
    for (const [n, text] of texts.entries())
      row.add(
        document.struct(tag, {}, () => {
          const align = columns[n]?.isAmount ? 'right' : 'left';
          document.text(text, lefts[n] as number, top, {
            width: widths[n] as number,
            // Lines that fit exactly are not cut for a rounding.
            height: height + 1,
            ellipsis: true,
            align,
          });
        }),
      );
    row.end();
    document.y = top + height + 4;
  };
  drawRow(
    columns.map(({ title }) => title),
    'TH',
  );
  for (const [n, cells] of rows.entries()) {
    if (n % ROWS_AT_ONCE === 0) await others();
    drawRow(cells, 'TD');
  }
  table.end();
}

function number(document: Document): void {
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    document.markContent('Artifact', { type: 'Pagination' });
    const { bottom } = document.page.margins;
    // Below what text may fill, without a new page for it.
    document.page.margins.bottom = 0;
    document
      .font(REGULAR)
      .fontSize(8)
      .fillColor('#444')
      .text(`Page ${page + 1} of ${count}`, MARGIN, document.page.height - MARGIN, {
        align: 'right',
        lineBreak: false,
      });
    document.page.margins.bottom = bottom;
    document.endMarkedContent();
  }
}

/** CSS Color 4, 7: a colour by hue, saturation and lightness. */
function rgb(color: string | null): [number, number, number] {
  const [hue, saturation, lightness] = (color ?? '').match(/[\d.]+/g)?.map(Number) ?? [];
  if (hue === undefined || saturation === undefined || lightness === undefined) return [0, 0, 0];
  const l = lightness / 100;
  const chroma = (saturation / 100) * Math.min(l, 1 - l);
  const channel = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (l - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
