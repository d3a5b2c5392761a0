/** Begins and ends tagged PDFs, and draws the parts that they share. */
import { BOLD, collect, drawable, REGULAR } from './text.js';

export const MARGIN = 48;
export const FOOTER = 24;

export type Document = PDFKit.PDFDocument;

export interface TaggedHeading {
  title: string;
  /** The organization that issues the document. */
  organization: string;
  /** The organization's colour, such as `hsl(210, 50%, 40%)`; null: black. */
  color: string | null;
}

/** A tagged PDF whose heading is drawn. */
export interface TaggedPdf {
  document: Document;
  root: PDFKit.PDFStructureElement;
  /** Calls `draw` to draw an element, and marks the element with the tag. */
  addTagged: (tag: string, draw: () => void, options?: { alt?: string }) => void;
  /** Numbers the pages. @returns the bytes */
  finish: () => Promise<Buffer>;
}

/**
 * Begins a PDF that a screen reader can read (ISO 14289), and draws its heading.
 * @param createdAt the date in its properties. Equal content with an equal date gives equal bytes.
 */
export async function beginTaggedPdf(
  { title, organization, color }: TaggedHeading,
  createdAt = new Date(),
): Promise<TaggedPdf> {
  // The library is loaded on first use, because it needs much memory and few processes use it.
  const { default: Pdf } = await import('pdfkit');
  const document = new Pdf({
    size: 'LETTER',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOTER },
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: drawable(title), Author: drawable(organization), CreationDate: createdAt },
  });
  const done = collect(document);
  const root = document.struct('Document');
  document.addStructure(root);
  const addTagged: TaggedPdf['addTagged'] = (tag, draw, options = {}) =>
    void root.add(document.struct(tag, options, draw));
  band(document, color);
  addTagged('P', () => document.font(BOLD).fontSize(11).fillColor('#444').text(drawable(organization)));
  addTagged('H1', () => document.font(BOLD).fontSize(18).fillColor('black').text(drawable(title)));
  const finish = (): Promise<Buffer> => {
    root.end();
    drawPageNumbers(document);
    document.end();
    return done;
  };
  return { document, root, addTagged, finish };
}

export function drawNamed(document: Document, name: string, value: string): void {
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

function drawPageNumbers(document: Document): void {
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    document.markContent('Artifact', { type: 'Pagination' });
    const { bottom } = document.page.margins;
    // Set the bottom margin to 0 while the page number is drawn. Otherwise text in that margin would start a new page.
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
