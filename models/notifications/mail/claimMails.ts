/** Mails are claimed before they are sent, and closed with their deliveries: whatever dies in between, it is known what may be out. */
import { currentOrganization, rows, type Statement } from '../../database/rows.js';
import { writeInOneMessage } from '../../database/oneMessage.js';
import { inTenant } from '../../database/tenancy.js';
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
  const { text, values } = claiming(currentOrganization(), mails);
  return idsOf(await rows<Claimed>(text, values));
}

/** Says what became of mails. */
export async function recordMails(results: readonly MailResult[]): Promise<void> {
  if (results.length === 0) return;
  const { text, values } = recording(currentOrganization(), results);
  await suppressRefused(await rows<Refused>(text, values));
}

/**
 * Records and claims in one transaction of its own, which is one message: a worker does it all the time while it sends.
 * An address that was refused may be written to once more when the process dies before that is noted.
 */
export async function exchangeMails(
  organizationId: string,
  results: readonly MailResult[],
  mails: readonly MailToClaim[],
): Promise<Map<string, string>> {
  const [refused, claimed] = (await writeInOneMessage(organizationId, [
    recording(organizationId, results),
    claiming(organizationId, mails),
  ])) as [Refused[], Claimed[]];
  if (refused.length > 0) await inTenant(organizationId, () => suppressRefused(refused));
  return idsOf(claimed);
}

type Claimed = { id: string; message_id: string };
type Refused = { email: string };

const idsOf = (claimed: readonly Claimed[]) => new Map(claimed.map(({ id, message_id }) => [message_id, id]));

/** The rows are named as an array, too, whose length Postgres knows: it looks those few up instead of reading all of a tenant's. */
const claiming = (organizationId: string, mails: readonly MailToClaim[]): Statement => ({
  text: `WITH given AS (
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
         FROM (SELECT c.id, unnest(g."notificationIds") AS notification_id
                 FROM claimed c JOIN given g ON g."messageId" = c.message_id) c
        WHERE d.organization_id = $1 AND d.channel = 'email' AND d.notification_id = c.notification_id
          AND d.notification_id = ANY($3::uuid[]))
     SELECT id, message_id FROM claimed`,
  values: [organizationId, JSON.stringify(mails), mails.flatMap(({ notificationIds }) => notificationIds)],
  kept: true,
});

/** What is known for sure replaces what was not, never the other way round. @returns addresses that their server refused */
const recording = (organizationId: string, results: readonly MailResult[]): Statement => ({
  text: `WITH given AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS given ("mailId" uuid, outcome text, status text, "ofRecipient" boolean)),
     closed AS (
       UPDATE mail_messages m SET outcome = g.outcome, concluded_at = now(),
              status = coalesce(g.status, CASE WHEN g."ofRecipient" THEN '5.0.0' END),
              bounced_at = CASE WHEN g."ofRecipient" THEN now() END
         FROM given g
        WHERE m.organization_id = $1 AND m.id = g."mailId" AND m.id = ANY($3::uuid[])
          AND (m.outcome IS NULL OR m.outcome = 'unknown')
       RETURNING m.id, m.message_id, m.outcome, m.email, m.bounced_at),
     delivered AS (
       UPDATE notification_deliveries d SET outcome = c.outcome, concluded_at = now(),
              reason = CASE c.outcome WHEN 'failed' THEN 'gateway_rejected' WHEN 'unknown' THEN 'no_answer'
                ELSE CASE WHEN c.message_id LIKE 'joined.%' THEN 'batched' END END
         FROM closed c
        WHERE d.organization_id = $1 AND d.mail_id = c.id AND d.mail_id = ANY($3::uuid[])
          AND (d.outcome IS NULL OR d.outcome = 'unknown'))
     SELECT DISTINCT email FROM closed WHERE bounced_at IS NOT NULL`,
  values: [organizationId, JSON.stringify(results), results.map(({ mailId }) => mailId)],
  kept: true,
});

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

/** Lets what a mail carries wait that some server may have, and that is sent again as the same mail. */
export async function repeatMail(mailId: string, seconds: number): Promise<void> {
  await rows(
    `UPDATE notification_deliveries SET due_at = now() + $3 * interval '1 second'
      WHERE organization_id = $1 AND mail_id = $2 AND outcome IS NULL`,
    [currentOrganization(), mailId, seconds],
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
