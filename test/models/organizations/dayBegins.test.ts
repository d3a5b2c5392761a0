/** Periods and reports begin with a day of the organization, whose midnight some time zones skip or repeat. */
import { sequelize } from '../../../models/database/connection.js';
import { asOwner, closeOwner } from '../../support/owner.js';

afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

/** East, west, by half hours, without clock changes, and with changes at midnight (Cairo, Beirut, Santiago, Havana). */
const ZONES = [
  'UTC',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Santiago',
  'America/Havana',
  'Europe/Berlin',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

test.each(ZONES)('each day in %s begins with its first moment, and lasts until the next', async (zone) => {
  const wrong = await asOwner(
    `SELECT day::date::text AS day, begins, length FROM generate_series(date '2025-12-30', date '2028-01-02', interval '1 day') AS day,
            LATERAL (SELECT app.day_begins($1, day::date) AS begins) b,
            LATERAL (SELECT app.day_begins($1, day::date + 1) - begins AS length) l
      WHERE (begins AT TIME ZONE $1)::date <> day::date OR ((begins - interval '1 millisecond') AT TIME ZONE $1)::date <> day::date - 1
         OR length NOT BETWEEN interval '23 hours' AND interval '25 hours'`,
    [zone],
  );
  expect(wrong).toEqual([]);
});

test.each(['Africa/Cairo', 'America/Santiago'])('a year in %s has one day of 23 hours and one of 25', async (zone) => {
  const lengths = await asOwner<{ hours: number; days: number }>(
    `SELECT extract(epoch FROM app.day_begins($1, day::date + 1) - app.day_begins($1, day::date))::int / 3600 AS hours, count(*)::int AS days
       FROM generate_series(date '2026-01-01', date '2026-12-31', interval '1 day') AS day GROUP BY 1 ORDER BY 1`,
    [zone],
  );
  expect(lengths).toEqual([
    { hours: 23, days: 1 },
    { hours: 24, days: 363 },
    { hours: 25, days: 1 },
  ]);
});
