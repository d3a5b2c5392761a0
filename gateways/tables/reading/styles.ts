/** Which styles of cells show days: in a workbook, a day is a number that is shown as one. */
import { readXml } from './xml.js';

/** Numbers of formats that every spreadsheet knows; those of times without a day are not among them. */
const isKnownDay = (format: number): boolean =>
  (format >= 14 && format <= 17) ||
  format === 22 ||
  (format >= 27 && format <= 31) ||
  format === 36 ||
  (format >= 50 && format <= 58);

/** The styles, by number. @throws TableUnreadable */
export async function dayStyles(bytes: AsyncIterable<Buffer>): Promise<Set<number>> {
  const own = new Map<number, boolean>();
  const formats: number[] = [];
  let isInCells = false;
  await readXml(bytes, {
    open(name, attribute) {
      if (name === 'cellXfs') isInCells = true;
      const format = Number(attribute('numFmtId') ?? 0);
      if (name === 'numFmt') own.set(format, showsDay(attribute('formatCode') ?? ''));
      if (name === 'xf' && isInCells) formats.push(format);
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  const isDay = (format: number) => own.get(format) ?? isKnownDay(format);
  return new Set(formats.flatMap((format, style) => (isDay(format) ? [style] : [])));
}

/** Quoted texts, escaped signs, signs that are repeated or left room for; and colours, languages and conditions. */
const NO_PLACE = /"[^"]*"?|\\.|[_*].|\[[^\]]*\]?/g;

/** Whether a format's first section has a place for a year or a day, or for a month without minutes about it. */
export function showsDay(format: string): boolean {
  const [section = ''] = format.replaceAll(NO_PLACE, '').split(';');
  return /[yd]/i.test(section) || (/m/i.test(section) && !/[hs]/i.test(section));
}
