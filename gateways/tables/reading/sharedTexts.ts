/** Texts that cells refer to by number. */
import { TableUnreadable } from '../table.js';
import { cellOf } from './batches.js';
import { readXml } from './xml.js';

/** @throws TableUnreadable */
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

/** Joins what stands in the runs of a text, but for how it is spoken. */
export function richText() {
  let [said, isText, isSpoken] = ['', false, false];
  return {
    open(name: string): void {
      if (name === 't') isText = true;
      if (name === 'rPh') isSpoken = true;
    },
    text(text: string): void {
      if (isText && !isSpoken) said += text;
    },
    close(name: string): void {
      if (name === 't') isText = false;
      if (name === 'rPh') isSpoken = false;
    },
    /** What was said since it was last taken. @throws TableUnreadable */
    take(): string {
      const text = cellOf(said.replaceAll(BY_NUMBER, (_, digits: string) => String.fromCharCode(parseInt(digits, 16))));
      said = '';
      return text;
    },
  };
}

/** Signs that XML cannot say, and what would look like one. */
const BY_NUMBER = /_x([0-9A-Fa-f]{4})_/g;

/** @throws TableUnreadable when there is none of that number */
export function textOf(texts: readonly string[], number: string): string {
  const text = /^\d{1,9}$/.test(number) ? texts[Number(number)] : undefined;
  if (text === undefined) throw new TableUnreadable('damaged');
  return text;
}
