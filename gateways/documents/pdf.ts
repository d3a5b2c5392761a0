/** A plain document to be read and printed: headings, and what stands under names. */
export type Block = { heading: string } | { name: string; value: string };

const REGULAR = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const BOLD = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

/** What neither our font nor any printer has is told by its number, so that nobody takes a box for what was typed. */
const NOT_DRAWN =
  /(?![©®™])[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\p{Co}]|(?!\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}|\p{Script=Armenian}|\p{Script=Georgian}|\p{Script=Hebrew}|\p{Script=Arabic}|\p{Lm})\p{L}/gu;
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\u{fe00}-\u{fe0f}]/gu;

const drawable = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, '')
    .replace(NOT_DRAWN, (sign: string) => `[U+${sign.codePointAt(0)?.toString(16).toUpperCase()}]`);

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

async function collect(document: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of document) parts.push(part);
  return Buffer.concat(parts);
}
