import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import type { NotificationType } from '../types.js';
import { BATCH_SIZE, withdrawBatch } from './fanOut.js';

/**
 * Withdraws one batch of a subject's notifications, because the reported fact is no longer true. Also cancels the
 * subject's running fan-outs; each of these withdraws the notifications that it has sent.
 * @param keptCause notifications with this cause stay valid; null withdraws all
 * @returns whether there are more
 */
export async function withdrawNotifications(
  type: NotificationType,
  subjectId: string,
  keptCause: string | null,
): Promise<boolean> {
  await rows(
    `UPDATE notification_fanouts SET status = 'cancelled', closed_at = now()
      WHERE organization_id = $1 AND subject_id = $2 AND notification_type = $3 AND cause IS DISTINCT FROM $4
        AND status = 'running'`,
    [currentOrganization(), subjectId, type.name, keptCause],
  );
  return withdrawBatch('subject_id = $2 AND notification_type = $3 AND event_id <> $4', [
    subjectId,
    type.name,
    `${type.subject}:${subjectId}:${keptCause ?? ''}`,
  ]);
}

/** Events of a subject that are no longer to be notified. */
export interface EndedEvents {
  subjectType: string;
  subjectId: string;
  /** Name of an SQL function: `app.<name>(organization, subject)` returns each `event_id`. */
  events: string;
}

const inEndedEvents = ({ events }: EndedEvents, subject: string): string =>
  `IN (SELECT ended.event_id FROM app.${events}($1, ${subject}) ended)`;

/** Cancels the running fan-outs of events, and finds out whether one batch can withdraw their notifications. */
export async function cancelFanoutsOf(ended: EndedEvents): Promise<{ isOneBatch: boolean }> {
  await rows(
    `UPDATE notification_fanouts SET status = 'cancelled', closed_at = now()
      WHERE organization_id = $1 AND subject_id = $2 AND status = 'running'
        AND $3::text || ':' || subject_id || ':' || cause ${inEndedEvents(ended, '$2')}`,
    [currentOrganization(), ended.subjectId, ended.subjectType],
  );
  const { number } = await oneRow<{ number: number }>(
    `SELECT count(*)::int AS number FROM (
       SELECT FROM notifications WHERE organization_id = $1 AND event_id ${inEndedEvents(ended, '$2')}
          AND read_at IS NULL AND unlisted_reason IS DISTINCT FROM 'withdrawn' LIMIT ${BATCH_SIZE + 1}) unread`,
    [currentOrganization(), ended.subjectId],
  );
  return { isOneBatch: number <= BATCH_SIZE };
}

/** Withdraws a batch of the notifications of events. @returns whether there are more */
export const withdrawNextOf = (ended: EndedEvents, batchSize = BATCH_SIZE): Promise<boolean> =>
  withdrawBatch(`event_id ${inEndedEvents(ended, '$2')}`, [ended.subjectId], batchSize);

/**
 * Prepares to notify of an event again after it was withdrawn: deletes its fan-outs that have ended, and the
 * notifications that were neither read nor sent. Their recipients then get new ones.
 */
export const forgetWithdrawn = (subjectId: string, eventId: string, cause: string): Promise<unknown> =>
  rows(
    `WITH ended AS (
       DELETE FROM notification_fanouts
        WHERE organization_id = $1 AND subject_id = $2 AND cause = $4 AND status <> 'running')
     DELETE FROM notifications n
      WHERE n.organization_id = $1 AND n.event_id = $3 AND n.unlisted_reason = 'withdrawn' AND n.read_at IS NULL
        AND NOT EXISTS (SELECT FROM notification_deliveries d
          WHERE d.organization_id = $1 AND d.notification_id = n.id
            AND (d.outcome IN ('sent', 'unknown') OR (d.outcome IS NULL AND d.claimed_at IS NOT NULL)))`,
    [currentOrganization(), subjectId, eventId, cause],
  );
