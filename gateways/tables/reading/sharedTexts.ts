/** The table of shared strings of a workbook, to which cells refer by number. */
import { TableUnreadable } from '../table.js';
import { cellOf } from './batches.js';
import { readXml } from './xml.js';

/**
 * Reads the shared strings.
 * @throws TableUnreadable
 */
export async function sharedTexts(bytes: AsyncIterable<Buffer>): Promise<string[]> {
  const texts: string[] = [];
  const rich = richText();
  await readXml(bytes, {
    open: (name) => rich.open(name),
    text: (text) => rich.text(text),
    close(name) {
      rich.close(name);
      if (name === 'si') texts.push(rich.take());
    },
  });
  return texts;
}

/** Collects the text of rich text runs, without phonetic hints. */
export function richText() {
  let [collected, isText, isPhonetic] = ['', false, false];
  return {
    open(name: string): void {
      if (name === 't') isText = true;
      if (name === 'rPh') isPhonetic = true;
    },
    text(text: string): void {
      if (isText && !isPhonetic) collected += text;
    },
    close(name: string): void {
      if (name === 't') isText = false;
      if (name === 'rPh') isPhonetic = false;
    },
    /**
     * Returns the collected text and starts a new one.
     * @throws TableUnreadable
     */
    take(): string {
      const text = cellOf(
        collected.replaceAll(ESCAPED_CHARACTER, (_, digits: string) => String.fromCharCode(parseInt(digits, 16))),
      );
      collected = '';
      return text;
    },
  };
}

/** Escapes of characters that XML does not allow, and of text that looks like such an escape. */
const ESCAPED_CHARACTER = /_x([0-9A-Fa-f]{4})_/g;

/**
 * Returns a shared string.
 * @throws TableUnreadable if there is none with this number
 */
export function textOf(texts: readonly string[], number: string): string {
  const text = /^\d{1,9}$/.test(number) ? texts[Number(number)] : undefined;
  if (text === undefined) throw new TableUnreadable('damaged');
  return text;
}
