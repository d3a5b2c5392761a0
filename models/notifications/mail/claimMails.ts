/** Mails are claimed before they are sent, and closed with their deliveries: whatever dies in between, it is known what may be out. */
import { currentOrganization, rows } from '../../database/rows.js';
import { CLAIM_LASTS } from '../deliveries/claimDeliveries.js';
import { suppressRefused } from './recordBounce.js';

export interface MailToClaim {
  /** Made of what it is about: whoever claims it again claims the same mail. */
  messageId: string;
  recipientId: string;
  email: string;
  critical: boolean;
  /** Sent again when nobody knows whether it was. */
  repeatable: boolean;
  /** The notifications that it carries. */
  notificationIds: readonly string[];
}

export interface MailResult {
  mailId: string;
  outcome: 'sent' | 'failed' | 'unknown';
  /** RFC 3463, of what the server refused. */
  status?: string | null;
  /** The server refused the address, not the mail. */
  ofRecipient?: boolean;
}

/**
 * Claims mails that are to be sent next. @returns their ids by Message-ID; one that somebody else has claimed, or that is
 * closed, is not there
 */
export async function claimMails(mails: readonly MailToClaim[]): Promise<Map<string, string>> {
  if (mails.length === 0) return new Map();
  const claimed = await rows<{ id: string; message_id: string }>(
    `WITH given AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS given ("messageId" text, "recipientId" uuid, email text,
         critical boolean, repeatable boolean, "notificationIds" uuid[])),
     claimed AS (
       INSERT INTO mail_messages (organization_id, message_id, recipient_id, email, critical, repeatable)
       SELECT $1, "messageId", "recipientId", lower(email), critical, repeatable FROM given ORDER BY "messageId"
       ON CONFLICT ON CONSTRAINT mail_messages_once DO UPDATE SET claimed_at = now(), email = excluded.email
         WHERE mail_messages.outcome IS NULL AND mail_messages.repeatable
           AND mail_messages.claimed_at < now() - ${CLAIM_LASTS}
       RETURNING id, message_id),
     carried AS (
       UPDATE notification_deliveries d SET mail_id = c.id, claimed_at = now()
         FROM claimed c JOIN given g ON g."messageId" = c.message_id
        WHERE d.organization_id = $1 AND d.channel = 'email' AND d.notification_id = ANY(g."notificationIds"))
     SELECT id, message_id FROM claimed`,
    [currentOrganization(), JSON.stringify(mails)],
  );
  return new Map(claimed.map(({ id, message_id }) => [message_id, id]));
}

/** Says what became of mails. What is known for sure replaces what was not, never the other way round. */
export async function recordMails(results: readonly MailResult[]): Promise<void> {
  if (results.length === 0) return;
  const refused = await rows<{ email: string }>(
    `WITH given AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS given ("mailId" uuid, outcome text, status text, "ofRecipient" boolean)),
     closed AS (
       UPDATE mail_messages m SET outcome = g.outcome, concluded_at = now(),
              status = coalesce(g.status, CASE WHEN g."ofRecipient" THEN '5.0.0' END),
              bounced_at = CASE WHEN g."ofRecipient" THEN now() END
         FROM given g
        WHERE m.organization_id = $1 AND m.id = g."mailId" AND (m.outcome IS NULL OR m.outcome = 'unknown')
       RETURNING m.id, m.message_id, m.outcome, m.email, m.bounced_at),
     delivered AS (
       UPDATE notification_deliveries d SET outcome = c.outcome, concluded_at = now(),
              reason = CASE c.outcome WHEN 'failed' THEN 'gateway_rejected' WHEN 'unknown' THEN 'no_answer'
                ELSE CASE WHEN c.message_id LIKE 'joined.%' THEN 'batched' END END
         FROM closed c
        WHERE d.organization_id = $1 AND d.mail_id = c.id AND (d.outcome IS NULL OR d.outcome = 'unknown'))
     SELECT DISTINCT email FROM closed WHERE bounced_at IS NOT NULL`,
    [currentOrganization(), JSON.stringify(results)],
  );
  if (refused.length > 0) await suppressRefused(refused.map(({ email }) => email));
}

/** Gives up claims of mails that no server has: their deliveries are due again in some seconds. */
export async function releaseMails(mailIds: readonly string[], seconds: number): Promise<void> {
  await rows(
    `WITH waiting AS (
       UPDATE notification_deliveries SET claimed_at = NULL, due_at = now() + $3 * interval '1 second', mail_id = NULL
        WHERE organization_id = $1 AND mail_id = ANY($2::uuid[]) AND outcome IS NULL)
     DELETE FROM mail_messages WHERE organization_id = $1 AND id = ANY($2::uuid[]) AND outcome IS NULL`,
    [currentOrganization(), mailIds, seconds],
  );
}

/** Lets deliveries wait that are more than somebody wants in an hour: what waits is joined in one mail. */
export async function batchDeliveries(notificationIds: readonly string[], seconds: number): Promise<void> {
  await rows(
    `UPDATE notification_deliveries SET claimed_at = NULL, held = true, reason = 'batched', due_at = now() + $3 * interval '1 second'
      WHERE organization_id = $1 AND channel = 'email' AND notification_id = ANY($2::uuid[]) AND outcome IS NULL`,
    [currentOrganization(), notificationIds, seconds],
  );
}

/**
 * Shows mails as unknown that were claimed and never closed, and that are not sent again: those that must not be, and those
 * whose notification does not want it any more.
 */
export async function closeOldMails(): Promise<void> {
  await rows(
    `WITH old AS (
       UPDATE mail_messages m SET outcome = 'unknown', concluded_at = now()
        WHERE m.organization_id = $1 AND m.outcome IS NULL AND m.claimed_at < now() - ${CLAIM_LASTS}
          AND NOT (m.repeatable AND EXISTS (SELECT FROM notification_deliveries d
            WHERE d.organization_id = $1 AND d.mail_id = m.id AND d.outcome IS NULL))
       RETURNING m.id)
     UPDATE notification_deliveries d SET outcome = 'unknown', reason = 'no_answer', concluded_at = now()
       FROM old WHERE d.organization_id = $1 AND d.mail_id = old.id AND d.outcome IS NULL`,
    [currentOrganization()],
  );
}
