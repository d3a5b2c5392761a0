/** The font of documents, and the characters that it can draw. */
export const REGULAR = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
export const BOLD = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

/**
 * Characters that the font does not have. They are replaced by their code point, so that a reader can tell what was
 * typed.
 */
const UNSUPPORTED =
  /(?![©®™])[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\p{Co}]|(?!\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}|\p{Script=Armenian}|\p{Script=Georgian}|\p{Script=Hebrew}|\p{Script=Arabic}|\p{Lm})\p{L}/gu;
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\u{fe00}-\u{fe0f}]/gu;

/**
 * Makes a text drawable: removes invisible characters, and replaces characters that the font does not have by their
 * code points.
 */
export const drawable = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(INVISIBLE, '')
    .replace(UNSUPPORTED, (sign: string) => `[U+${sign.codePointAt(0)?.toString(16).toUpperCase()}]`);

/** Returns all bytes of a document after it has ended. */
export async function collect(document: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of document) parts.push(part);
  return Buffer.concat(parts);
}
