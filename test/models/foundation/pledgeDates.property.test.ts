/** Due days and times of pledges: month ends, leap years, daylight saving time, outages. */
import fc from 'fast-check';
import { sequelize } from '../../../models/database/connection.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { casesOf } from '../../support/seed.js';

afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const MONTHS = { monthly: 1, quarterly: 3, annually: 12 } as const;
type Interval = keyof typeof MONTHS;

const dueOn = async (anchor: string, interval: Interval, periods: number[]): Promise<string[]> =>
  (
    await asOwner<{ on: string }>('SELECT app.pledge_due_on($1, $2, n)::text AS on FROM unnest($3::int[]) n', [
      anchor,
      interval,
      periods,
    ])
  ).map(({ on }) => on);

test('a pledge of the last day of a month is due on the last day of shorter months, and returns to its day', async () => {
  expect(await dueOn('2027-08-31', 'monthly', [1, 2, 3, 4, 5, 6, 7])).toEqual([
    '2027-09-30',
    '2027-10-31',
    '2027-11-30',
    '2027-12-31',
    '2028-01-31',
    '2028-02-29',
    '2028-03-31',
  ]);
  expect(await dueOn('2028-02-29', 'annually', [1, 2, 3, 4])).toEqual([
    '2029-02-28',
    '2030-02-28',
    '2031-02-28',
    '2032-02-29',
  ]);
});

/** The due day by calendar arithmetic. */
function expectedDay(anchor: string, interval: Interval, n: number): string {
  const [year, month, day] = anchor.split('-').map(Number) as [number, number, number];
  const months = year * 12 + (month - 1) + n * MONTHS[interval];
  const lastDay = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate();
  return new Date(Date.UTC(Math.floor(months / 12), months % 12, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

const anyAnchor = fc
  .integer({ min: 0, max: 20_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
const anyInterval = fc.constantFrom<Interval>('monthly', 'quarterly', 'annually');

test('every period is due the same number of months after the anchor, on its day or the last day of the month', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyAnchor,
      anyInterval,
      fc.array(fc.nat(200), { minLength: 20, maxLength: 20 }),
      async (anchor, interval, periods) => {
        expect(await dueOn(anchor, interval, periods)).toEqual(periods.map((n) => expectedDay(anchor, interval, n)));
      },
    ),
    { numRuns: casesOf({ test: 12, release: 60 }) },
  );
});

test.each(['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'UTC'])(
  'in %s a pledge is due between 09:00 and 11:00 local time all year, at the same time each day',
  async (zone) => {
    const times = await asOwner<{ at: string; on: string; due: string }>(
      `SELECT (app.pledge_due_at($1, '019ac9f0-0000-7000-8000-000000000001', d::date) AT TIME ZONE $1)::time::text AS at,
              (app.pledge_due_at($1, '019ac9f0-0000-7000-8000-000000000001', d::date) AT TIME ZONE $1)::date::text AS on, d::date::text AS due
         FROM generate_series('2027-01-01'::date, '2027-12-31', interval '1 day') d`,
      [zone],
    );
    expect(new Set(times.map(({ at }) => at)).size).toBe(1);
    expect(times.every(({ at }) => at >= '09:00:00' && at < '11:00:00')).toBe(true);
    expect(times.every(({ on, due }) => on === due)).toBe(true);
  },
);

test('shares of pledges differ, and an unknown time zone counts as UTC', async () => {
  const [shares] = await asOwner<{ count: number; utc: boolean }>(
    `SELECT count(DISTINCT app.pledge_due_at('UTC', g, '2027-01-01'))::int AS count,
            bool_and(app.pledge_due_at('Nowhere/Unknown', g, '2027-01-01') = app.pledge_due_at('UTC', g, '2027-01-01')) AS utc
       FROM (SELECT gen_random_uuid() AS g FROM generate_series(1, 200)) ids`,
  );
  expect(shares?.count).toBeGreaterThan(150);
  expect(shares?.utc).toBe(true);
});

test('of several due periods the latest counts, and the next one is the first in the future', async () => {
  const periodDue = async (anchor: string, interval: Interval, from: number, at: string, future: boolean) =>
    (
      await asOwner<{ n: number; due: string }>(
        `SELECT n, (due_at AT TIME ZONE 'UTC')::date::text AS due
           FROM app.pledge_period_due('UTC', '019ac9f0-0000-7000-8000-000000000001', $1, $2, $3, $4, $5)`,
        [anchor, interval, from, at, future],
      )
    )[0] ?? null;
  await fc.assert(
    fc.asyncProperty(
      anyAnchor,
      anyInterval,
      fc.nat(3_000),
      fc.integer({ min: 1, max: 5 }),
      async (anchor, interval, days, from) => {
        // At noon, every period of the day is due, whatever the share.
        const at = new Date(Date.parse(`${anchor}T12:00:00Z`) + days * 86_400_000).toISOString();
        const isDue = (n: number) => expectedDay(anchor, interval, n) <= at.slice(0, 10);
        let next = from;
        while (isDue(next)) next += 1;
        expect((await periodDue(anchor, interval, from, at, true))?.n).toBe(next);
        expect((await periodDue(anchor, interval, from, at, false))?.n ?? null).toBe(next > from ? next - 1 : null);
      },
    ),
    { numRuns: casesOf({ test: 25, release: 120 }) },
  );
});
