/**
 * Renders a letter of one page or a few as a PDF: sender, heading, facts, table, paragraphs, and an address with its QR
 * code.
 */
import { generate } from 'lean-qr';
import { drawTable, type Table } from './table.js';
import { beginTaggedPdf, drawNamed, type Document, MARGIN } from './taggedPdf.js';
import { drawable, REGULAR } from './text.js';

export interface LetterDocument {
  title: string;
  /** The organization that issues the document. */
  organization: string;
  /** YYYY-MM-DD. */
  createdOn: string;
  /** Paragraphs above the facts. */
  intro: readonly string[];
  /** Name and value pairs. */
  head: readonly (readonly [name: string, value: string])[];
  /** Table below the facts. */
  table?: Table;
  /** Paragraphs below the facts and the table. */
  paragraphs: readonly string[];
  /** An address, printed as text and as a QR code. */
  link: { label: string; url: string };
}

/** Side of the QR code, in points. */
const QR_SIZE = 96;

/** Renders the letter as a tagged PDF (ISO 14289). Equal letters give equal bytes. */
export async function letterPdf(letter: LetterDocument): Promise<Buffer> {
  const { intro, head, table, paragraphs, link, createdOn } = letter;
  const pdf = await beginTaggedPdf({ ...letter, color: null }, new Date(`${createdOn}T00:00:00Z`));
  const { document, root, addTagged } = pdf;
  const addParagraph = (text: string) =>
    addTagged('P', () => document.font(REGULAR).text(drawable(text)).moveDown(0.5));
  document.fontSize(10).moveDown();
  for (const text of intro) addParagraph(text);
  document.moveDown(0.5);
  for (const [name, value] of head) addTagged('P', () => drawNamed(document, name, value));
  document.moveDown();
  if (table) {
    await drawTable(document, table, root);
    document.fontSize(10).moveDown();
    document.x = MARGIN;
  }
  for (const text of paragraphs) addParagraph(text);
  addTagged('P', () =>
    document.text(`${drawable(link.label)} `, { continued: true }).text(link.url, { link: link.url }),
  );
  document.moveDown(0.5);
  addTagged('Figure', () => drawQrCode(document, link.url), { alt: `QR code of ${link.url}` });
  return pdf.finish();
}

function drawQrCode(document: Document, url: string): void {
  const code = generate(url);
  const side = QR_SIZE / code.size;
  if (document.y + QR_SIZE > document.page.height - document.page.margins.bottom) document.addPage();
  const { y } = document;
  document.fillColor('black');
  for (let row = 0; row < code.size; row += 1)
    for (let column = 0; column < code.size; column += 1)
      if (code.get(column, row)) document.rect(MARGIN + column * side, y + row * side, side, side);
  document.fill();
  document.y = y + QR_SIZE;
}
