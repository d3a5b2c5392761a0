/**
 * Steps of a fan-out, which notifies a large audience in batches. Each batch is one transaction, which also saves the
 * progress.
 */
import { changeRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { audienceNamed, peopleSql } from '../audiences.js';
import {
  announceCreated,
  announceWithdrawn,
  CREATED_COLUMNS,
  type CreatedRange,
  RETURNING_CREATED,
} from '../realtime/announcements.js';
import { INTO_NOTIFICATIONS, ROWS_OF_PEOPLE } from '../statements.js';
import { typeNamed } from '../types.js';
import { type FanoutStatus, NotificationFanout } from './NotificationFanout.js';

/** Number of people per statement. */
export const BATCH_SIZE = 5_000;

async function lockFanout(id: string): Promise<NotificationFanout> {
  const fanout = await lockForEditIfExists(NotificationFanout, id);
  if (!fanout) throw new RowMissing('There is no such fan-out.');
  return fanout;
}

/**
 * Notifies the next batch of the audience, in the order of user ids.
 * @returns the status of the fan-out after the batch
 */
export async function fanOutNextBatch(id: string, batchSize = BATCH_SIZE): Promise<FanoutStatus> {
  const fanout = await lockFanout(id);
  if (fanout.status !== 'running') return fanout.status;
  const { organization_id, subject_id, actor_id, cause, audience_id, reached_user_id } = fanout;
  const { last, told, ...made } = await oneRow<CreatedRange & { last: string | null; told: number }>(
    `WITH page AS MATERIALIZED (
       SELECT who.user_id FROM (SELECT $1::uuid AS organization_id, $2::uuid AS audience_id) a
        CROSS JOIN LATERAL ${peopleSql(audienceNamed(fanout.audience))} who
        WHERE $6::uuid IS NULL OR who.user_id > $6 ORDER BY who.user_id LIMIT ${batchSize}),
     made AS (${INTO_NOTIFICATIONS} ${ROWS_OF_PEOPLE(
       typeNamed(fanout.notification_type),
       'SELECT $1::uuid AS organization_id, $3::uuid AS subject_id, page.user_id AS recipient_id, $4::uuid AS actor_id, $5::text AS cause FROM page',
     )} ${RETURNING_CREATED})
     SELECT ${CREATED_COLUMNS}, (SELECT user_id FROM page ORDER BY user_id DESC LIMIT 1) AS last, (SELECT count(*) FROM page)::int AS told`,
    [organization_id, audience_id, subject_id, actor_id, cause, reached_user_id],
  );
  announceCreated(made);
  const isLast = told < batchSize;
  await changeRow(NotificationFanout, id, {
    reached_user_id: last ?? reached_user_id,
    reached: fanout.reached + told,
    ...(isLast && { status: 'done', closed_at: now }),
  });
  return isLast ? 'done' : 'running';
}

/**
 * Cancels a fan-out, so that no further batch begins. A batch that is running is not waited for. A repeated call
 * changes nothing.
 */
export async function cancelFanout(id: string): Promise<void> {
  await changeRow(NotificationFanout, { id, status: 'running' }, { status: 'cancelled', closed_at: now });
}

/**
 * Withdraws one batch of the unread notifications that a cancelled fan-out has sent.
 * @returns whether there are more
 */
export async function withdrawNextBatch(id: string, batchSize = BATCH_SIZE): Promise<boolean> {
  const fanout = await lockFanout(id);
  const type = typeNamed(fanout.notification_type);
  const eventId = `${type.subject}:${fanout.subject_id}:${fanout.cause}`;
  return withdrawBatch('event_id = $2 AND notification_type = $3', [eventId, type.name], batchSize);
}

/**
 * Withdraws a batch of notifications: cancels their unsent deliveries and removes the unread ones from the lists.
 * @param which a condition on notifications, with `$2…` for its values
 * @returns whether there are more
 */
export async function withdrawBatch(
  which: string,
  values: readonly unknown[],
  batchSize = BATCH_SIZE,
): Promise<boolean> {
  const { withdrawn } = await oneRow<{ withdrawn: number }>(
    `WITH page AS (
       SELECT id FROM notifications
        WHERE organization_id = $1 AND ${which} AND read_at IS NULL
          AND unlisted_reason IS DISTINCT FROM 'withdrawn' ORDER BY id LIMIT ${batchSize} FOR NO KEY UPDATE),
     unsent AS (
       UPDATE notification_deliveries d SET outcome = 'suppressed', reason = 'withdrawn', concluded_at = now()
         FROM page WHERE d.organization_id = $1 AND d.notification_id = page.id AND d.outcome IS NULL AND d.claimed_at IS NULL),
     unlisted AS (
       UPDATE notifications n SET unlisted_reason = 'withdrawn' FROM page
        WHERE n.organization_id = $1 AND n.id = page.id RETURNING 1)
     SELECT count(*)::int AS withdrawn FROM unlisted`,
    [currentOrganization(), ...values],
  );
  if (withdrawn > 0) announceWithdrawn();
  return withdrawn === batchSize;
}
