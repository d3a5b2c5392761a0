import { BOLD, collect, drawable, REGULAR } from './text.js';

/** A plain document to be read and printed: headings, and what stands under names. */
export type Block = { heading: string } | { name: string; value: string };

/** A document of these, whole. */
export async function pdf(title: string, blocks: readonly Block[]): Promise<Buffer> {
  // Few processes ever draw one, and it takes much memory.
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
