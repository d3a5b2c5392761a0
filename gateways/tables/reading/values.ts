/** Converts the numbers of a workbook to text. */
import { TableUnreadable } from '../table.js';

const NUMBER = /^\s*[-+]?(\d+\.?\d*|\.\d+)(E[-+]?\d{1,3})?\s*$/i;
const MAX_CHARACTERS = 64;
/** Number of significant digits in spreadsheets. */
const DIGITS = 15;
const DAY_MS = 86_400_000;
/**
 * Serial number of the last day of the year 9999, where the calendars of spreadsheets end. It depends on the first year
 * of the calendar.
 */
const LAST_DAY = { 1900: 2_958_465, 1904: 2_957_003 };

/**
 * Returns a number as a plain decimal.
 * @throws TableUnreadable
 */
export function decimalOf(text: string): string {
  const number = numberOf(text);
  const plain = String(number);
  if (!plain.includes('e')) return plain;
  return number.toLocaleString('en-US', { useGrouping: false, maximumSignificantDigits: DIGITS });
}

/**
 * Converts a serial number to a day as YYYY-MM-DD, without its time. A number outside of the calendar stays a number.
 * Spreadsheets treat 1900 as a leap year: 60 is 29 February 1900, which did not exist, and is returned as spreadsheets
 * show it.
 * @throws TableUnreadable
 */
export function dayOf(text: string, since1904: boolean): string {
  // Rounds to the millisecond like spreadsheets, so that midnight does not become the previous day.
  const serial = Math.floor(numberOf(text) + 0.5 / DAY_MS);
  if (since1904) return serial < 0 || serial > LAST_DAY[1904] ? decimalOf(text) : isoDay(Date.UTC(1904, 0, 1), serial);
  if (serial < 1 || serial > LAST_DAY[1900]) return decimalOf(text);
  if (serial === 60) return '1900-02-29';
  return isoDay(Date.UTC(1899, 11, serial < 60 ? 31 : 30), serial);
}

const isoDay = (first: number, days: number): string => new Date(first + days * DAY_MS).toISOString().slice(0, 10);

function numberOf(text: string): number {
  const number =
    text.length <= MAX_CHARACTERS && NUMBER.test(text) ? Number(Number(text).toPrecision(DIGITS)) : Number.NaN;
  if (!Number.isFinite(number)) throw new TableUnreadable('damaged');
  // Turns -0 into 0.
  return number + 0;
}
