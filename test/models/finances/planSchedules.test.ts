/** Due dates and amounts of the installments of a plan. */
import fc from 'fast-check';
import { findExceededLimits } from '../../../models/finances/payment-plans/policy.js';
import {
  datesFrom,
  daysBetween,
  INTERVALS,
  smallestFirstCents,
  priceDates,
  divideBalance,
} from '../../../models/finances/payment-plans/schedule.js';

test('equal installments have the odd cents on the first, which is raised to the minimum first payment', () => {
  expect(divideBalance(10_001, 3, 5_000)).toEqual([5_001, 2_500, 2_500]);
  expect(divideBalance(10_001, 3, 0)).toEqual([3_335, 3_333, 3_333]);
  expect(divideBalance(10_000, 3, 3_334)).toEqual([3_334, 3_333, 3_333]);
});

test('installments stay equal if raising the first would empty another, and less than a cent each gives none', () => {
  expect(divideBalance(10_000, 3, 9_999)).toEqual([3_334, 3_333, 3_333]);
  expect(divideBalance(10_000, 3, 20_000)).toEqual([3_334, 3_333, 3_333]);
  expect(divideBalance(2, 3, 0)).toBeNull();
});

test('installments add up to the balance, none is empty, and only the first differs', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50_000_000 }),
      fc.integer({ min: 2, max: 60 }),
      fc.integer({ min: 0, max: 60_000_000 }),
      (balance, count, least) => {
        const rows = divideBalance(balance, count, least);
        if (!rows) return balance < count;
        const [first, ...others] = rows as [number, ...number[]];
        const canBeRaised = Math.floor((balance - least) / (count - 1)) >= 1;
        return (
          rows.length === count &&
          rows.reduce((sum, cents) => sum + cents, 0) === balance &&
          rows.every((cents) => cents > 0) &&
          new Set(others).size === 1 &&
          (first >= least || !canBeRaised)
        );
      },
    ),
  );
});

test('monthly dates keep the end of the month, and a missing day becomes the last day of its month', () => {
  expect(datesFrom('2026-01-31', 4, 'monthly')).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']);
  expect(datesFrom('2028-01-30', 3, 'monthly')).toEqual(['2028-01-30', '2028-02-29', '2028-03-30']);
  expect(datesFrom('2026-11-15', 3, 'monthly')).toEqual(['2026-11-15', '2026-12-15', '2027-01-15']);
  expect(datesFrom('2026-12-28', 2, 'biweekly')).toEqual(['2026-12-28', '2027-01-11']);
});

test('dates are one week, two weeks or one month apart', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40_000 }),
      fc.integer({ min: 2, max: 60 }),
      fc.constantFrom(...INTERVALS),
      (offset, count, interval) => {
        const first = new Date(Date.UTC(2000, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10);
        const dates = datesFrom(first, count, interval);
        const steps = dates.slice(1).map((date, n) => daysBetween(dates[n] as string, date));
        const [least, most] = { weekly: [7, 7], biweekly: [14, 14], monthly: [28, 31] }[interval] as [number, number];
        return dates[0] === first && steps.every((days) => days >= least && days <= most);
      },
    ),
  );
});

test('a schedule is checked for its number of installments, its last day and its first payment', () => {
  const policy = { plan_max_installments: 3, plan_max_duration_days: 60, plan_min_first_payment_cents: 4_000 };
  const rows = (count: number, cents: number) => priceDates(datesFrom('2026-03-01', count, 'monthly'), cents, 0) ?? [];
  expect(findExceededLimits(rows(2, 9_000), '2026-03-01', policy)).toEqual([]);
  expect(findExceededLimits(rows(3, 9_000), '2026-03-01', policy)).toEqual(['too_long', 'first_payment_too_small']);
  expect(findExceededLimits(rows(2, 9_000), '2026-01-30', policy)).toEqual(['too_long']);
  expect(findExceededLimits(rows(4, 100_000), '2026-03-01', policy)).toEqual(['too_many_installments', 'too_long']);
});

test('a check without the balance has the same result for any number of installments, and accepts nothing beyond the limits', () => {
  const policy = (least: number) => ({
    plan_max_installments: 60,
    plan_max_duration_days: 1095,
    plan_min_first_payment_cents: least,
  });
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 3_000 }), fc.integer({ min: 0, max: 3_000 }), (balance, least) => {
      const first = smallestFirstCents(balance, least) as number;
      const verdicts = [2, 3, 17, 59, 60].map((count) => {
        const rows = priceDates(datesFrom('2026-01-01', count, 'weekly'), balance, least) ?? [];
        const blind = findExceededLimits(rows, '2026-01-01', policy(least), first);
        return [blind.length, blind.length === 0 && findExceededLimits(rows, '2026-01-01', policy(least)).length > 0];
      });
      return new Set(verdicts.map(([broken]) => broken)).size === 1 && verdicts.every(([, worse]) => !worse);
    }),
  );
  expect(smallestFirstCents(59, 0)).toBeNull();
});
