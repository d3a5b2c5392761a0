/** Draws a table that continues over pages, and repeats its heading on each. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Document, FOOTER, MARGIN } from './taggedPdf.js';
import { BOLD, drawable, REGULAR } from './text.js';

interface Column {
  title: string;
  /** Relative width of the column. The columns share the available width in proportion to these numbers. */
  share: number;
  isAmount?: true;
}

export interface Table {
  columns: readonly Column[];
  rows: readonly (readonly string[])[];
}

const GAP = 6;
const MAX_ROW_HEIGHT = 500;
/** After drawing this many rows, the other work of the process gets a turn. */
const ROWS_PER_TURN = 50;

/** Draws the table at the current position of the document, and adds it to the structure of the PDF. */
export async function drawTable(
  document: Document,
  { columns, rows }: Table,
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
