import { queryPrepared } from '../../database/preparedQuery.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { bodyWithoutAmounts, OFFICE_OF } from '../statements.js';
import { notifyNewRecipients } from './notifyNewRecipients.js';
import { type Channel, evaluatedDeliveries } from './rules.js';

/** SQL for how long a claim of a delivery lasts. If there is no outcome by then, the delivery may be claimed again. */
export const CLAIM_LEASE = "interval '2 minutes'";

/** A claimed delivery, with the texts as they are now. */
export interface ClaimedDelivery {
  notificationId: string;
  notificationType: string;
  eventType: string;
  category: string;
  critical: boolean;
  recipientId: string;
  firstName: string | null;
  /** The recipient's e-mail address; set only on the channel `email`. */
  address: string;
  title: string;
  body: string;
  targetUrl: string;
  actionLabel: string | null;
  subjectType: string;
  subjectId: string;
  /** Whether quiet hours have held the delivery. If many were held for a person, they are combined into one mail. */
  held: boolean;
  /** The number of attempts, including this one. */
  attempts: number;
  /** The time of the first claim. */
  firstTriedAt: Date;
  createdAt: Date;
}

interface Verdict extends ClaimedDelivery {
  reason: string | null;
  eventId: string;
  actorId: string | null;
  /**
   * True if the recipient may no longer see the subject, or if the event that the notification reports no longer holds.
   * False if the notification itself was withdrawn.
   */
  isUnseen: boolean;
}

/** A delivery that was closed without being sent. */
export interface SuppressedDelivery {
  notificationId: string;
  recipientId: string;
  reason: string;
}

/**
 * Claims the due deliveries of one channel in the tenant, critical ones first, and evaluates the delivery rules again
 * for each, in one statement. A delivery that a rule blocks is closed with the reason (suppressed). If its recipient
 * may no longer see the subject, the people who may see it now are notified instead. A delivery in quiet hours waits
 * until they end.
 * @returns the deliveries to send, the suppressed ones, and the number of deliveries that were evaluated
 */
export async function claimDeliveries(
  channel: Channel,
  limit: number,
): Promise<{ claimed: ClaimedDelivery[]; suppressed: SuppressedDelivery[]; evaluated: number }> {
  const judgedRows = await queryPrepared<Verdict>(
    `WITH next AS (
       SELECT notification_id FROM notification_deliveries
        WHERE organization_id = $1 AND channel = $2 AND outcome IS NULL AND due_at <= now()
          AND (claimed_at IS NULL OR claimed_at < now() - ${CLAIM_LEASE})
        ORDER BY critical DESC, due_at, notification_id LIMIT ${limit} FOR UPDATE SKIP LOCKED),
     verdicts AS MATERIALIZED (
       SELECT n.id, n.notification_type, n.event_type, n.category, n.critical, n.recipient_id, u.first_name, j.address,
              x.title, x.body, said.title AS said_title, said.body AS said_body, n.target_url, n.action_label, n.subject_type, n.subject_id, n.created_at, v.reason,
              j.quiet_until, n.event_id, n.actor_id, f.facts IS NULL AND n.unlisted_reason IS DISTINCT FROM 'withdrawn' AS is_unseen,
              CASE WHEN t.name IS NULL OR f.facts IS NULL THEN n.office_of ELSE ${OFFICE_OF} END AS office_of,
              CASE WHEN t.name IS NULL OR f.facts IS NULL THEN n.body_without_amounts ELSE ${bodyWithoutAmounts('t.body')} END
                AS body_without_amounts
       ${evaluatedDeliveries('(SELECT n.* FROM next JOIN notifications n ON n.organization_id = $1 AND n.id = next.notification_id)', channel)}),
     claimed AS (
       UPDATE notification_deliveries d SET
         claimed_at = CASE WHEN v.reason IS NULL THEN now() END,
         attempts = d.attempts + (v.reason IS NULL)::int,
         first_tried_at = CASE WHEN v.reason IS NULL THEN coalesce(d.first_tried_at, now()) ELSE d.first_tried_at END,
         held = d.held OR v.reason IS NOT DISTINCT FROM 'quiet_hours',
         due_at = CASE WHEN v.reason = 'quiet_hours' THEN v.quiet_until ELSE d.due_at END,
         outcome = CASE WHEN v.reason <> 'quiet_hours' THEN 'suppressed' END,
         reason = v.reason,
         concluded_at = CASE WHEN v.reason <> 'quiet_hours' THEN now() END
        FROM verdicts v WHERE d.organization_id = $1 AND d.notification_id = v.id AND d.channel = $2
       RETURNING d.notification_id, d.held, d.attempts, d.first_tried_at),
     told AS (
       UPDATE notifications n SET scheduled_for = v.quiet_until, title = v.title, body = v.body, office_of = v.office_of,
              body_without_amounts = v.body_without_amounts
        FROM verdicts v WHERE n.organization_id = $1 AND n.id = v.id
         AND (n.scheduled_for, n.title, n.body, n.office_of, n.body_without_amounts)
           IS DISTINCT FROM (v.quiet_until, v.title, v.body, v.office_of, v.body_without_amounts))
     SELECT v.id AS "notificationId", v.notification_type AS "notificationType", v.event_type AS "eventType", v.category,
            v.critical, v.recipient_id AS "recipientId", v.first_name AS "firstName", v.address,
            v.said_title AS title, v.said_body AS body,
            v.target_url AS "targetUrl", v.action_label AS "actionLabel", v.subject_type AS "subjectType",
            v.subject_id AS "subjectId", v.created_at AS "createdAt", v.reason,
            v.event_id AS "eventId", v.actor_id AS "actorId", v.is_unseen AS "isUnseen", c.held, c.attempts,
            c.first_tried_at AS "firstTriedAt"
       FROM verdicts v JOIN claimed c ON c.notification_id = v.id
      ORDER BY v.critical DESC, v.id`,
    [currentOrganization(), channel],
  );
  const claimed = judgedRows.flatMap(({ reason, ...delivery }) => (reason === null ? [delivery] : []));
  const suppressed = judgedRows.flatMap(({ notificationId, recipientId, reason }) =>
    reason === null || reason === 'quiet_hours' ? [] : [{ notificationId, recipientId, reason }],
  );
  // Runs only for the channel `email`: each notification has exactly one delivery there, so it is handled once.
  if (channel === 'email') await notifyNewRecipients(judgedRows.filter(isUndeliverable));
  return { claimed, suppressed, evaluated: judgedRows.length };
}

const isUndeliverable = ({ reason, isUnseen }: Verdict): boolean =>
  reason === 'no_access' || (reason === 'withdrawn' && isUnseen);

export type DeliveryOutcome = 'sent' | 'failed' | 'unknown';

/**
 * Records the outcome of a delivery, unless it already has one.
 * @param reason why the delivery was not sent
 */
export async function concludeDelivery(
  channel: Channel,
  notificationId: string,
  outcome: DeliveryOutcome,
  reason: string | null = null,
): Promise<void> {
  await rows(
    `UPDATE notification_deliveries SET outcome = $4, reason = $5, concluded_at = now()
      WHERE organization_id = $1 AND channel = $2 AND notification_id = $3 AND outcome IS NULL`,
    [currentOrganization(), channel, notificationId, outcome, reason],
  );
}

/** Releases claimed deliveries that were certainly not sent. The deliveries are due again after `seconds`. */
export async function postponeDeliveries(channel: Channel, ids: readonly string[], seconds: number): Promise<void> {
  await rows(
    `UPDATE notification_deliveries SET claimed_at = NULL, due_at = now() + $4 * interval '1 second'
      WHERE organization_id = $1 AND channel = $2 AND notification_id = ANY($3::uuid[]) AND outcome IS NULL`,
    [currentOrganization(), channel, ids, seconds],
  );
}

/**
 * SQL: how far ahead the sending process waits for the next delivery. For later deliveries, a schedule starts the
 * process again. For pushes this time covers all retries, so only deliveries in quiet hours are later.
 */
const WAIT_HORIZON: Record<Channel, string> = {
  email: "interval '3 minutes'",
  ios: "interval '31 minutes'",
  android: "interval '31 minutes'",
};

/**
 * Returns the seconds until the next delivery of a channel is due; 0 if one is due now. Returns null if none is due
 * within `WAIT_HORIZON`.
 */
export async function nextDueIn(channel: Channel): Promise<number | null> {
  const { seconds } = await oneRow<{ seconds: number | null }>(
    `SELECT CASE WHEN count(*) > 0 THEN greatest(0, ceil(extract(epoch FROM min(due) - now())))::int END AS seconds
       FROM (SELECT greatest(due_at, claimed_at + ${CLAIM_LEASE}) AS due FROM notification_deliveries
              WHERE organization_id = $1 AND channel = $2 AND outcome IS NULL AND due_at <= now() + ${WAIT_HORIZON[channel]}) waiting`,
    [currentOrganization(), channel],
  );
  return seconds;
}
