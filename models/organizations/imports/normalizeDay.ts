/**
 * Converts days from the forms that people write in tables to `YYYY-MM-DD`. Countries differ in the order of day, month
 * and year.
 */

export const DAY_ORDERS = ['ymd', 'mdy', 'dmy'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/** Three numbers with the same separator between them. */
const WRITTEN_DAY = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})$/;

/**
 * Converts `9/1/2024`, `01.09.2024` or `2024/9/1` to `YYYY-MM-DD`. A year has four digits. If the year comes first, the
 * order is clear; if it comes last, `order` decides. Other texts are returned unchanged, and fail the validation of
 * days.
 */
export function normalizeDay(text: string, order: DayOrder): string {
  const [, first = '', , second = '', third = ''] = WRITTEN_DAY.exec(text) ?? [];
  if (first.length === 4 && third.length <= 2) return iso(first, second, third);
  if (third.length !== 4 || first.length > 2 || order === 'ymd') return text;
  return order === 'mdy' ? iso(third, first, second) : iso(third, second, first);
}

const iso = (year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

/**
 * Reports whether a text is a day with the year last, such as `9/1/2024`: which number is the month depends on the day
 * order.
 */
export const needsOrder = (text: string): boolean => normalizeDay(text, 'mdy') !== normalizeDay(text, 'ymd');
