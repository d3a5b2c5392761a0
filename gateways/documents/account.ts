/**
 * Renders a statement of account as a PDF: sender, heading, a table that continues over pages, totals and page numbers.
 */
import { drawTable, type Table } from './table.js';
import { beginTaggedPdf, drawNamed, MARGIN, type TaggedHeading } from './taggedPdf.js';
import { drawable, REGULAR } from './text.js';

export interface AccountDocument extends TaggedHeading, Table {
  /** Name and value pairs above the table. */
  head: readonly (readonly [name: string, value: string])[];
  /** Totals below the table. */
  totals: readonly (readonly [name: string, value: string])[];
  /** The last line: the date and time of the data. */
  asOf: string;
}

/**
 * Renders the document as a tagged PDF (ISO 14289), so that a screen reader announces headings, and the column of each
 * cell.
 */
export async function accountPdf(content: AccountDocument): Promise<Buffer> {
  const { document, root, addTagged, finish } = await beginTaggedPdf(content);
  document.fontSize(9).moveDown(0.5);
  for (const [name, value] of content.head) addTagged('P', () => drawNamed(document, name, value));
  document.moveDown();
  await drawTable(document, content, root);
  document.moveDown();
  document.x = MARGIN;
  for (const [name, value] of content.totals) addTagged('P', () => drawNamed(document, name, value));
  document.moveDown();
  addTagged('P', () => document.font(REGULAR).text(drawable(content.asOf)));
  return finish();
}
