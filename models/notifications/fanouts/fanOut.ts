/** The pages of a fan-out. Each is one transaction, which also says how far it has come. */
import { changeRow, lockIfThere, now } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { audienceNamed } from '../audiences.js';
import { announceMade, announceWithdrawn, MADE, type Made, RETURNING_MADE } from '../realtime/announcements.js';
import { INTO_NOTIFICATIONS, ROWS_OF_PEOPLE } from '../statements.js';
import { typeNamed } from '../types.js';
import { type FanoutStatus, NotificationFanout } from './NotificationFanout.js';

/** People whose rows one statement makes. */
const PAGE = 5_000;

async function lockFanout(id: string): Promise<NotificationFanout> {
  const fanout = await lockIfThere(NotificationFanout, id);
  if (!fanout) throw new RowMissing('There is no such fan-out.');
  return fanout;
}

/** Tells the next people of the audience, in the order of their ids. @returns where it stands afterwards */
export async function fanOutNextPage(id: string, pageSize = PAGE): Promise<FanoutStatus> {
  const fanout = await lockFanout(id);
  if (fanout.status !== 'running') return fanout.status;
  const { organization_id, subject_id, actor_id, cause, audience_id, reached_user_id } = fanout;
  const { last, told, ...made } = await oneRow<Made & { last: string | null; told: number }>(
    `WITH page AS MATERIALIZED (
       SELECT who.user_id FROM (SELECT $1::uuid AS organization_id, $2::uuid AS audience_id) a
        CROSS JOIN LATERAL (${audienceNamed(fanout.audience).people}) who
        WHERE $6::uuid IS NULL OR who.user_id > $6 ORDER BY who.user_id LIMIT ${pageSize}),
     made AS (${INTO_NOTIFICATIONS} ${ROWS_OF_PEOPLE(
       typeNamed(fanout.notification_type),
       'SELECT $1::uuid AS organization_id, $3::uuid AS subject_id, page.user_id AS recipient_id, $4::uuid AS actor_id, $5::text AS cause FROM page',
     )} ${RETURNING_MADE})
     SELECT ${MADE}, (SELECT user_id FROM page ORDER BY user_id DESC LIMIT 1) AS last, (SELECT count(*) FROM page)::int AS told`,
    [organization_id, audience_id, subject_id, actor_id, cause, reached_user_id],
  );
  announceMade(made);
  const isLast = told < pageSize;
  await changeRow(NotificationFanout, id, {
    reached_user_id: last ?? reached_user_id,
    reached: fanout.reached + told,
    ...(isLast && { status: 'done', closed_at: now }),
  });
  return isLast ? 'done' : 'running';
}

/** No further page is begun; one that is under way is not waited for by whoever asks. Again changes nothing. */
export async function stopFanout(id: string): Promise<void> {
  await changeRow(NotificationFanout, { id, status: 'running' }, { status: 'cancelled', closed_at: now });
}

/** Takes back what a cancelled fan-out has not sent yet: a page of it. @returns whether there is more */
export async function withdrawNextPage(id: string, pageSize = PAGE): Promise<boolean> {
  const fanout = await lockFanout(id);
  const type = typeNamed(fanout.notification_type);
  const eventId = `${type.subject}:${fanout.subject_id}:${fanout.cause}`;
  return withdrawPage('event_id = $2 AND notification_type = $3', [eventId, type.name], pageSize);
}

/**
 * Takes back a page of what was told: what was not sent is not, and what nobody has read leaves the lists.
 * @param which a condition on notifications, with `$2…` for its values
 * @returns whether there is more
 */
export async function withdrawPage(which: string, values: readonly unknown[], pageSize = PAGE): Promise<boolean> {
  const { withdrawn } = await oneRow<{ withdrawn: number }>(
    `WITH page AS (
       SELECT id FROM notifications
        WHERE organization_id = $1 AND ${which} AND read_at IS NULL
          AND unlisted_reason IS DISTINCT FROM 'withdrawn' ORDER BY id LIMIT ${pageSize} FOR NO KEY UPDATE),
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
  return withdrawn === pageSize;
}
