/** Makes the digests of each period once. Each batch of people is one statement. */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import { evaluatedDeliveries } from '../deliveries/rules.js';

/** Number of people per statement. */
const BATCH_SIZE = 500;

/** Returns SQL for the time at which the period of a digest ends: 07:00 UTC on the day on which the digest is made. */
const periodEndOf = (day: string): string => `((${day}::date + time '07:00') AT TIME ZONE 'UTC')`;
const PERIOD_END = periodEndOf('$2');
/** Weekly digests are made on Mondays. */
const IS_WEEKLY = 'extract(isodow FROM $2::date) = 1';

/**
 * Returns the organizations in which somebody wants a digest on a day.
 * @param day YYYY-MM-DD
 */
export async function organizationsToDigest(day: string): Promise<string[]> {
  const organizations = await inPlatform(
    () =>
      rows<{ id: string }>(
        'SELECT id FROM app.digest_organizations(extract(isodow FROM $1::date) = 1) AS id ORDER BY id',
        [day],
      ),
    { readOnly: true },
  );
  return organizations.map(({ id }) => id);
}

/**
 * Reports whether a transaction is still open that began before the digest periods of a day ended. Notifications that
 * it creates belong to these periods, but are not visible yet.
 */
export const hasOpenTransactions = async (day: string): Promise<boolean> =>
  (
    await oneRow<{ told: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user
         AND pid <> pg_backend_pid() AND xact_start < ${periodEndOf('$1')}) AS told`,
      [day],
    )
  ).told;

/**
 * Makes the digests of a day for the next batch of people after `after`. A digest contains a person's unread
 * notifications of the period that they may still see; if there are none, no digest is made. A period begins where the
 * previous one ended, but at most 14 days ago.
 * @returns the id of the last person of the batch; null if there are no more people
 */
export async function makeDigests(day: string, after: string | null): Promise<string | null> {
  const { last, looked } = await oneRow<{ last: string | null; looked: number }>(
    `WITH page AS (
       SELECT p.user_id, p.frequency, ${PERIOD_END} AS period_end,
              greatest(coalesce(before.period_end,
                                ${PERIOD_END} - CASE p.frequency WHEN 'daily' THEN interval '1 day' ELSE interval '7 days' END),
                       ${PERIOD_END} - interval '14 days') AS period_start
         FROM digest_preferences p
        CROSS JOIN LATERAL (SELECT max(d.period_end) AS period_end FROM notification_digests d
          WHERE d.organization_id = $1 AND d.user_id = p.user_id) before
        WHERE p.organization_id = $1 AND (p.frequency = 'daily' OR (p.frequency = 'weekly' AND ${IS_WEEKLY}))
          AND ($3::uuid IS NULL OR p.user_id > $3)
        ORDER BY p.user_id LIMIT ${BATCH_SIZE}),
     items AS (
       SELECT n.recipient_id, n.digest_frequency, n.period_start, n.period_end, n.id, n.requires_action, n.category
       ${evaluatedDeliveries(
         `(SELECT n.*, page.frequency AS digest_frequency, page.period_start, page.period_end
             FROM page JOIN notifications n ON n.organization_id = $1 AND n.recipient_id = page.user_id
              AND n.created_at >= page.period_start AND n.created_at < page.period_end
              AND n.unlisted_reason IS NULL AND n.read_at IS NULL
            WHERE page.period_start < page.period_end)`,
         'in_app',
       )}
        WHERE v.reason IS NULL),
     made AS (
       INSERT INTO notification_digests
         (organization_id, user_id, frequency, period_start, period_end, notification_count, notification_ids, due_at, held)
       SELECT $1, recipient_id, digest_frequency, period_start, period_end, count, ids,
              coalesce(quiet.until, now()), quiet.until IS NOT NULL
         FROM (SELECT recipient_id, digest_frequency, period_start, period_end, count(*),
                      (array_agg(id ORDER BY requires_action DESC, category, id DESC))[1:50] AS ids
                 FROM items GROUP BY recipient_id, digest_frequency, period_start, period_end) digest
        CROSS JOIN LATERAL (SELECT app.quiet_until(recipient_id, now()) AS until) quiet
        ORDER BY recipient_id
       ON CONFLICT ON CONSTRAINT notification_digests_once DO NOTHING)
     SELECT (SELECT user_id FROM page ORDER BY user_id DESC LIMIT 1) AS last, (SELECT count(*) FROM page)::int AS looked`,
    [currentOrganization(), day, after],
  );
  return looked === BATCH_SIZE ? last : null;
}
