/** Finds the cell styles that show days: in a workbook, a day is a number with a date format. */
import { readXml } from './xml.js';

/** Reports whether a built-in format shows a day; formats of a time only do not. */
const isBuiltinDay = (format: number): boolean =>
  (format >= 14 && format <= 17) ||
  format === 22 ||
  (format >= 27 && format <= 31) ||
  format === 36 ||
  (format >= 50 && format <= 58);

/**
 * Returns the numbers of the styles that show days.
 * @throws TableUnreadable
 */
export async function dayStyles(bytes: AsyncIterable<Buffer>): Promise<Set<number>> {
  const customFormats = new Map<number, boolean>();
  const formats: number[] = [];
  let isInCells = false;
  await readXml(bytes, {
    open(name, attribute) {
      if (name === 'cellXfs') isInCells = true;
      const format = Number(attribute('numFmtId') ?? 0);
      if (name === 'numFmt') customFormats.set(format, showsDay(attribute('formatCode') ?? ''));
      if (name === 'xf' && isInCells) formats.push(format);
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  const isDay = (format: number) => customFormats.get(format) ?? isBuiltinDay(format);
  return new Set(formats.flatMap((format, style) => (isDay(format) ? [style] : [])));
}

/**
 * Parts of a number format that are removed before its placeholders are read: quoted text, escaped, repeated and
 * padding characters, colours, languages and conditions.
 */
const LITERALS = /"[^"]*"?|\\.|[_*].|\[[^\]]*\]?/g;

/**
 * Reports whether the first section of a number format shows a day: it contains `y` or `d`, or it contains `m` but
 * neither `h` nor `s`. Beside `h` or `s`, `m` means minutes.
 */
export function showsDay(format: string): boolean {
  const [section = ''] = format.replaceAll(LITERALS, '').split(';');
  return /[yd]/i.test(section) || (/m/i.test(section) && !/[hs]/i.test(section));
}
