/**
 * Renders a statement of account as a PDF: sender, heading, a table that continues over pages, totals and page numbers.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { BOLD, collect, drawable, REGULAR } from './text.js';

export interface Column {
  title: string;
  /** The proportion of the page width. */
  share: number;
  isAmount?: true;
}

export interface AccountDocument {
  title: string;
  /** The organization that issues the document. */
  organization: string;
  /** `hsl(210, 50%, 40%)`; null: black. */
  color: string | null;
  /** Name and value pairs above the table. */
  head: readonly (readonly [name: string, value: string])[];
  columns: readonly Column[];
  rows: readonly (readonly string[])[];
  /** Totals below the table. */
  totals: readonly (readonly [name: string, value: string])[];
  /** The last line: the date and time of the data. */
  asOf: string;
}

const MARGIN = 48;
const FOOTER = 24;
const GAP = 6;
const MAX_ROW_HEIGHT = 500;
/** The number of rows after which other work of the process may run. */
const ROWS_PER_TURN = 50;

type Document = PDFKit.PDFDocument;

/**
 * Renders the document as a tagged PDF (ISO 14289), so that a screen reader announces headings, and the column of each
 * cell.
 */
export async function accountPdf(content: AccountDocument): Promise<Buffer> {
  // Loaded on first use: it needs much memory, and few processes use it.
  const { default: Pdf } = await import('pdfkit');
  const document = new Pdf({
    size: 'LETTER',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOTER },
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: drawable(content.title), Author: drawable(content.organization) },
  });
  const done = collect(document);
  const root = document.struct('Document');
  document.addStructure(root);
  const addTagged = (tag: string, draw: () => void) => root.add(document.struct(tag, {}, draw));
  band(document, content.color);
  addTagged('P', () => document.font(BOLD).fontSize(11).fillColor('#444').text(drawable(content.organization)));
  addTagged('H1', () => document.font(BOLD).fontSize(18).fillColor('black').text(drawable(content.title)));
  document.fontSize(9).moveDown(0.5);
  for (const [name, value] of content.head) addTagged('P', () => drawNamed(document, name, value));
  document.moveDown();
  await drawTable(document, content, root);
  document.moveDown();
  document.x = MARGIN;
  for (const [name, value] of content.totals) addTagged('P', () => drawNamed(document, name, value));
  document.moveDown();
  addTagged('P', () => document.font(REGULAR).text(drawable(content.asOf)));
  root.end();
  drawPageNumbers(document);
  document.end();
  return done;
}

function drawNamed(document: Document, name: string, value: string): void {
  document
    .font(BOLD)
    .text(`${drawable(name)}: `, { continued: true })
    .font(REGULAR)
    .text(drawable(value));
}

/** Draws a stripe in the organization's colour. It is an artifact, which screen readers skip. */
function band(document: Document, color: string | null): void {
  document.markContent('Artifact', { type: 'Layout' });
  document.rect(0, 0, document.page.width, 10).fill(rgb(color));
  document.endMarkedContent();
}

async function drawTable(
  document: Document,
  { columns, rows }: AccountDocument,
  root: PDFKit.PDFStructureElement,
): Promise<void> {
  const width = document.page.width - 2 * MARGIN;
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  const widths = columns.map(({ share }) => (width * share) / shares - GAP);
  const columnOffsets = columns.map((_, n) => MARGIN + widths.slice(0, n).reduce((sum, one) => sum + one + GAP, 0));
  const bottom = () => document.page.height - MARGIN - FOOTER;
  const table = document.struct('Table');
  root.add(table);

  const drawRow = (cells: readonly string[], tag: 'TH' | 'TD'): void => {
    document
      .font(tag === 'TH' ? BOLD : REGULAR)
      .fontSize(9)
      .fillColor('black');
    const texts = cells.map((text) => drawable(text).replace(/\s+/g, ' '));
    const heights = texts.map((text, n) => document.heightOfString(text, { width: widths[n] as number }));
    // A row is never split across pages, so that amounts stay beside their descriptions. A row that is taller than the
    // limit is cut.
    const height = Math.min(Math.max(...heights), MAX_ROW_HEIGHT);
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
          document.text(text, columnOffsets[n] as number, top, {
            width: widths[n] as number,
            // One point of tolerance, so that rounding does not cut lines that fit exactly.
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
    if (n % ROWS_PER_TURN === 0) await yieldToEventLoop();
    drawRow(cells, 'TD');
  }
  table.end();
}

function drawPageNumbers(document: Document): void {
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    document.markContent('Artifact', { type: 'Pagination' });
    const { bottom } = document.page.margins;
    // Allows text in the bottom margin without starting a new page.
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

/** Converts hue, saturation and lightness to RGB (CSS Color 4, 7). */
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
