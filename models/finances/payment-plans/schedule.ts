/** When which part of an invoice is due. No database: days as YYYY-MM-DD, amounts in cents. */

export const INTERVALS = ['weekly', 'biweekly', 'monthly'] as const;
export type Interval = (typeof INTERVALS)[number];

export interface Installment {
  due_date: string;
  amount_cents: number;
}

/** Rows that one invoice is paid by, at most. */
const MOST_ROWS = 60;

const MS_PER_DAY = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Whole days from one day to another. */
export const daysBetween = (from: string, to: string): number => (msOf(to) - msOf(from)) / MS_PER_DAY;

/** The last day of the month that is so many months after that of `day`. */
function monthEnd(day: string, months: number): Date {
  const first = new Date(msOf(day));
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months + 1, 0));
}

/**
 * So many days, the first of them given. The end of a month stays the end of each month, and a day that a month does not
 * have is its last one.
 */
export function datesFrom(first: string, count: number, interval: Interval): string[] {
  const day = new Date(msOf(first)).getUTCDate();
  const isEnd = monthEnd(first, 0).getUTCDate() === day;
  return Array.from({ length: count }, (_, n) => {
    if (interval !== 'monthly') return dayOf(msOf(first) + n * (interval === 'weekly' ? 7 : 14) * MS_PER_DAY);
    const end = monthEnd(first, n);
    return dayOf(
      Date.UTC(end.getUTCFullYear(), end.getUTCMonth(), isEnd ? end.getUTCDate() : Math.min(day, end.getUTCDate())),
    );
  });
}

/** `cents` in equal shares, the odd ones on the first. */
function equally(cents: number, count: number): number[] {
  const share = Math.floor(cents / count);
  return Array.from({ length: count }, (_, n) => share + (n === 0 ? cents % count : 0));
}

/**
 * Divides a balance: equal shares, odd cents on the first. A first share below the least first payment is raised to it, and the
 * others share the rest equally, with its odd cents on the first again; where that would leave one of them without a cent, the shares stay
 * equal. They always come to the balance.
 * @returns null where the balance does not give every row a cent
 */
export function priceRows(balanceCents: number, count: number, leastFirstCents: number): number[] | null {
  if (balanceCents < count) return null;
  const equal = equally(balanceCents, count);
  if (count === 1 || (equal[0] as number) >= leastFirstCents) return equal;
  const rest = balanceCents - leastFirstCents;
  const share = Math.floor(rest / (count - 1));
  if (share < 1) return equal;
  return equal.map((_, n) => (n === 0 ? leastFirstCents + (rest % (count - 1)) : share));
}

/** The same days with other amounts. @returns null where the balance does not give every row a cent */
export function priceDates(
  dates: readonly string[],
  balanceCents: number,
  leastFirstCents: number,
): Installment[] | null {
  const amounts = priceRows(balanceCents, dates.length, leastFirstCents);
  return amounts && dates.map((due_date, n) => ({ due_date, amount_cents: amounts[n] as number }));
}

/**
 * For whoever sees no amounts, of which nothing may tell by how many rows they chose: the least that a first row can be, in however many.
 * @returns null where the balance does not give each of the most rows a cent
 */
export const leastFirstRow = (balanceCents: number, leastFirstCents: number): number | null =>
  priceRows(balanceCents, MOST_ROWS, leastFirstCents)?.[0] ?? null;
