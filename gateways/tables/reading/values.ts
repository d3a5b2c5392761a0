/** What numbers of a workbook are, as text. */
import { TableUnreadable } from '../table.js';

const NUMBER = /^\s*[-+]?(\d+\.?\d*|\.\d+)(E[-+]?\d{1,3})?\s*$/i;
const MOST_CHARACTERS = 64;
/** Spreadsheets calculate with so many. */
const DIGITS = 15;
const DAY_MS = 86_400_000;
/** Of the year 9999, the last that they know. */
const LAST_DAY = { 1900: 2_958_465, 1904: 2_957_003 };

/** A plain decimal. @throws TableUnreadable */
export function decimalOf(text: string): string {
  const number = numberOf(text);
  const plain = String(number);
  if (!plain.includes('e')) return plain;
  return number.toLocaleString('en-US', { useGrouping: false, maximumSignificantDigits: DIGITS });
}

/**
 * The day of a number, YYYY-MM-DD, whatever the time on it; what is no day of their calendars stays a number.
 * 1900 is a leap year to them: 60 is a 29 February that nobody had, which is told as it is shown.
 * @throws TableUnreadable
 */
export function dayOf(text: string, since1904: boolean): string {
  // As spreadsheets do, to the millisecond: midnight is not a moment before it.
  const serial = Math.floor(numberOf(text) + 0.5 / DAY_MS);
  if (since1904) return serial < 0 || serial > LAST_DAY[1904] ? decimalOf(text) : isoDay(Date.UTC(1904, 0, 1), serial);
  if (serial < 1 || serial > LAST_DAY[1900]) return decimalOf(text);
  if (serial === 60) return '1900-02-29';
  return isoDay(Date.UTC(1899, 11, serial < 60 ? 31 : 30), serial);
}

const isoDay = (first: number, days: number): string => new Date(first + days * DAY_MS).toISOString().slice(0, 10);

function numberOf(text: string): number {
  const number =
    text.length <= MOST_CHARACTERS && NUMBER.test(text) ? Number(Number(text).toPrecision(DIGITS)) : Number.NaN;
  if (!Number.isFinite(number)) throw new TableUnreadable('damaged');
  // There is no minus nothing.
  return number + 0;
}
