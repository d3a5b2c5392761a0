/** Our font, and what it draws. */
export const REGULAR = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
export const BOLD = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

/** What neither our font nor any printer has is told by its number, so that nobody takes a box for what was typed. */
const NOT_DRAWN =
  /(?![©®™])[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\p{Co}]|(?!\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}|\p{Script=Armenian}|\p{Script=Georgian}|\p{Script=Hebrew}|\p{Script=Arabic}|\p{Lm})\p{L}/gu;
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\u{fe00}-\u{fe0f}]/gu;

/** A text as our font draws it. */
export const drawable = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, '')
    .replace(NOT_DRAWN, (sign: string) => `[U+${sign.codePointAt(0)?.toString(16).toUpperCase()}]`);

/** All of a document, once it is ended. */
export async function collect(document: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of document) parts.push(part);
  return Buffer.concat(parts);
}
