import { BOLD, collect, drawable, REGULAR } from './text.js';

/** A block of a plain document: a heading, or a name with its value. */
export type Block = { heading: string } | { name: string; value: string };

/** Renders headings, names and values as a PDF. */
export async function pdf(title: string, blocks: readonly Block[]): Promise<Buffer> {
  // The library is loaded on first use, because it needs much memory and few processes use it.
  const { default: Document } = await import('pdfkit');
  const document = new Document({ size: 'LETTER', margin: 56, info: { Title: drawable(title) } });
  const done = collect(document);
  document.font(BOLD).fontSize(16).text(drawable(title)).fontSize(10);
  for (const block of blocks)
    if ('heading' in block) document.moveDown().font(BOLD).fontSize(12).text(drawable(block.heading)).fontSize(10);
    else
      document
        .moveDown(0.5)
        .font(BOLD)
        .text(drawable(block.name))
        .font(REGULAR)
        .text(drawable(block.value) || '–');
  document.end();
  return done;
}
