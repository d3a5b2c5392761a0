/** Days as tables write them: by people, in the order of their country. */

export const DAY_ORDERS = ['ymd', 'mdy', 'dmy'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/** Three numbers, with the same sign between them. */
const WRITTEN = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})$/;

/**
 * As `YYYY-MM-DD`: of `9/1/2024`, `01.09.2024`, `2024/9/1`. A year has four digits; one that comes first says the order by itself, one that
 * comes last needs an order that ends with it. What is no such day stays as it is, for the rule of days to refuse.
 */
export function writtenDay(said: string, order: DayOrder): string {
  const [, first = '', , second = '', third = ''] = WRITTEN.exec(said) ?? [];
  if (first.length === 4 && third.length <= 2) return iso(first, second, third);
  if (third.length !== 4 || first.length > 2 || order === 'ymd') return said;
  return order === 'mdy' ? iso(third, first, second) : iso(third, second, first);
}

const iso = (year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

/** A day of which only the order is missing. */
export const needsOrder = (said: string): boolean => writtenDay(said, 'mdy') !== writtenDay(said, 'ymd');
