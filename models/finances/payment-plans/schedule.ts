/** Computes installment schedules, without database access. Days are YYYY-MM-DD, amounts in cents. */

export const INTERVALS = ['weekly', 'biweekly', 'monthly'] as const;
export type Interval = (typeof INTERVALS)[number];

export interface Installment {
  due_date: string;
  amount_cents: number;
}

/** Maximum installments per invoice. */
const MAX_INSTALLMENTS = 60;

const MS_PER_DAY = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Returns the number of days between two dates. */
export const daysBetween = (from: string, to: string): number => (msOf(to) - msOf(from)) / MS_PER_DAY;

/** Returns the last day of the month that is `months` months after the month of `day`. */
function monthEnd(day: string, months: number): Date {
  const first = new Date(msOf(day));
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months + 1, 0));
}

/**
 * Returns `count` dates, beginning with `first`. For monthly dates: if `first` is the last day of its month, every date
 * is the last day of its month; a day that a month does not have becomes its last day.
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

/** Divides `cents` into equal parts; the remainder goes to the first. */
function divideEqually(cents: number, count: number): number[] {
  const part = Math.floor(cents / count);
  return Array.from({ length: count }, (_, n) => part + (n === 0 ? cents % count : 0));
}

/**
 * Divides a balance into equal installments; the remainder goes to the first. If the first is below the minimum, it is
 * raised to the minimum, and the other installments divide the rest equally, again with the remainder added to the
 * first. If an installment would get no cent that way, the equal parts are kept. The parts always add up to the
 * balance.
 * @returns null when there are fewer cents than installments
 */
export function divideBalance(balanceCents: number, count: number, minFirstCents: number): number[] | null {
  if (balanceCents < count) return null;
  const equalParts = divideEqually(balanceCents, count);
  if (count === 1 || (equalParts[0] as number) >= minFirstCents) return equalParts;
  const rest = balanceCents - minFirstCents;
  const part = Math.floor(rest / (count - 1));
  if (part < 1) return equalParts;
  return equalParts.map((_, n) => (n === 0 ? minFirstCents + (rest % (count - 1)) : part));
}

/**
 * Assigns the parts of a balance to dates.
 * @returns null when there are fewer cents than installments
 */
export function priceDates(
  dates: readonly string[],
  balanceCents: number,
  minFirstCents: number,
): Installment[] | null {
  const amounts = divideBalance(balanceCents, dates.length, minFirstCents);
  return amounts && dates.map((due_date, n) => ({ due_date, amount_cents: amounts[n] as number }));
}

/**
 * Returns the first installment of the plan with the maximum number of installments, which is the smallest first
 * installment possible. It is used for requesters who may not see amounts: it does not depend on the number of
 * installments that they choose, so trying several numbers does not reveal the balance.
 * @returns null when the balance has fewer cents than the maximum number of installments
 */
export const smallestFirstCents = (balanceCents: number, minFirstCents: number): number | null =>
  divideBalance(balanceCents, MAX_INSTALLMENTS, minFirstCents)?.[0] ?? null;
