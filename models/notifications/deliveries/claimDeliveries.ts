import { keptRows } from '../../database/keptRows.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { bodyWithoutAmounts, OFFICE_OF } from '../statements.js';
import { passOn } from './passOn.js';
import { type Channel, judged } from './rules.js';

/** Who claimed a delivery has so long to say what became of it; then it is due again. */
export const CLAIM_LASTS = "interval '2 minutes'";

/** A delivery that is to be carried out now, with what it says at this moment. */
export interface ClaimedDelivery {
  notificationId: string;
  notificationType: string;
  eventType: string;
  category: string;
  critical: boolean;
  recipientId: string;
  firstName: string | null;
  /** Of the recipient; only on the channel `email`. */
  address: string;
  title: string;
  body: string;
  targetUrl: string;
  actionLabel: string | null;
  subjectType: string;
  subjectId: string;
  /** Quiet hours held it: of many such one is made. */
  held: boolean;
  /** With this one. */
  attempts: number;
  /** When it was claimed for the first time. */
  firstTriedAt: Date;
  createdAt: Date;
}

interface Verdict extends ClaimedDelivery {
  reason: string | null;
  eventId: string;
  actorId: string | null;
  /** The recipient may not see it any more, or it is true no more. */
  isUnseen: boolean;
}

/** A delivery that was closed instead. */
export interface Suppressed {
  notificationId: string;
  recipientId: string;
  reason: string;
}

/**
 * Claims what is due in a channel of the tenant, critical ones first, and decides each anew, in one statement. What is
 * not to be delivered is closed with its reason, and passed on where its recipient may not see it any more; what it is quiet
 * for waits until the end of the quiet hours.
 * @returns what is to be sent, what is not, and how many deliveries were looked at
 */
export async function claimDeliveries(
  channel: Channel,
  limit: number,
): Promise<{ claimed: ClaimedDelivery[]; suppressed: Suppressed[]; looked: number }> {
  const judgedRows = await keptRows<Verdict>(
    `WITH next AS (
       SELECT notification_id FROM notification_deliveries
        WHERE organization_id = $1 AND channel = $2 AND outcome IS NULL AND due_at <= now()
          AND (claimed_at IS NULL OR claimed_at < now() - ${CLAIM_LASTS})
        ORDER BY critical DESC, due_at, notification_id LIMIT ${limit} FOR UPDATE SKIP LOCKED),
     verdicts AS MATERIALIZED (
       SELECT n.id, n.notification_type, n.event_type, n.category, n.critical, n.recipient_id, u.first_name, j.address,
              x.title, x.body, said.title AS said_title, said.body AS said_body, n.target_url, n.action_label, n.subject_type, n.subject_id, n.created_at, v.reason,
              j.quiet_until, n.event_id, n.actor_id, f.facts IS NULL AND n.unlisted_reason IS DISTINCT FROM 'withdrawn' AS is_unseen,
              CASE WHEN t.name IS NULL OR f.facts IS NULL THEN n.office_of ELSE ${OFFICE_OF} END AS office_of,
              CASE WHEN t.name IS NULL OR f.facts IS NULL THEN n.body_without_amounts ELSE ${bodyWithoutAmounts('t.body')} END
                AS body_without_amounts
       ${judged('(SELECT n.* FROM next JOIN notifications n ON n.organization_id = $1 AND n.id = next.notification_id)', channel)}),
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
  // Every notification has a mail: one channel passes it on.
  if (channel === 'email') await passOn(judgedRows.filter(isUndeliverable));
  return { claimed, suppressed, looked: judgedRows.length };
}

const isUndeliverable = ({ reason, isUnseen }: Verdict): boolean =>
  reason === 'no_access' || (reason === 'withdrawn' && isUnseen);

export type DeliveryOutcome = 'sent' | 'failed' | 'unknown';

/** Says what became of a delivery, once. @param reason of what was not sent */
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

/** Gives deliveries back that were certainly not carried out. */
export async function postponeDeliveries(channel: Channel, ids: readonly string[], seconds: number): Promise<void> {
  await rows(
    `UPDATE notification_deliveries SET claimed_at = NULL, due_at = now() + $4 * interval '1 second'
      WHERE organization_id = $1 AND channel = $2 AND notification_id = ANY($3::uuid[]) AND outcome IS NULL`,
    [currentOrganization(), channel, ids, seconds],
  );
}

/** What lies further ahead is left to the schedule: of pushes that is what quiet hours hold, since repeats come to their minute. */
const SOON: Record<Channel, string> = {
  email: "interval '3 minutes'",
  ios: "interval '31 minutes'",
  android: "interval '31 minutes'",
};

/** @returns the seconds until something is due in a channel (0: now), null where nothing will be soon */
export async function nextDueIn(channel: Channel): Promise<number | null> {
  const { seconds } = await oneRow<{ seconds: number | null }>(
    `SELECT CASE WHEN count(*) > 0 THEN greatest(0, ceil(extract(epoch FROM min(due) - now())))::int END AS seconds
       FROM (SELECT greatest(due_at, claimed_at + ${CLAIM_LASTS}) AS due FROM notification_deliveries
              WHERE organization_id = $1 AND channel = $2 AND outcome IS NULL AND due_at <= now() + ${SOON[channel]}) waiting`,
    [currentOrganization(), channel],
  );
  return seconds;
}
