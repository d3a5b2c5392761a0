/**
 * Claims mails before they are sent, and concludes them together with their deliveries. After a crash the claims show
 * which mails may have been sent.
 */
import { currentOrganization, firstRow, rows, type Statement } from '../../database/rows.js';
import { writePipelined } from '../../database/pipelinedTransaction.js';
import { inTenant } from '../../database/tenancy.js';
import { CLAIM_LEASE } from '../deliveries/claimDeliveries.js';
import { suppressRefused } from './recordBounce.js';

export interface MailToClaim {
  /**
   * Message-ID of the mail. It is derived from the mail's deliveries, so that a second claim of the same deliveries
   * finds the same mail.
   */
  messageId: string;
  /** Null for a recipient without a user. */
  recipientId: string | null;
  email: string;
  critical: boolean;
  /** Whether the mail is sent again if its outcome is unknown. */
  repeatable: boolean;
  /** The notifications in the mail. */
  notificationIds: readonly string[];
}

export interface MailResult {
  mailId: string;
  outcome: 'sent' | 'failed' | 'unknown';
  /** Status code (RFC 3463) with which the server refused the mail; null or absent if it sent none. */
  status?: string | null;
  /** True if the server refused the recipient's address; false if it refused only this mail. */
  ofRecipient?: boolean;
}

/**
 * Claims mails that are to be sent next.
 * @returns the ids of the claimed mails by Message-ID; mails that another worker has claimed, or that have an outcome,
 * are missing
 */
export async function claimMails(mails: readonly MailToClaim[]): Promise<Map<string, string>> {
  if (mails.length === 0) return new Map();
  const { text, values } = claimStatement(currentOrganization(), mails);
  return idsOf(await rows<ClaimedMail>(text, values));
}

/** The state of a claimed mail: its outcome, or the seconds until the claim expires. */
interface MailClaim {
  outcome: 'sent' | 'failed' | 'bounced' | 'unknown' | null;
  seconds: number;
}

/** Reads the claim of a mail; null if it was released. */
export const readMailClaim = (messageId: string): Promise<MailClaim | null> =>
  firstRow<MailClaim>(
    `SELECT outcome, greatest(1, ceil(extract(epoch FROM claimed_at + ${CLAIM_LEASE} - now())))::int AS seconds
       FROM mail_messages WHERE organization_id = $1 AND message_id = $2`,
    [currentOrganization(), messageId],
  );

/** Records the outcomes of mails. */
export async function recordMails(results: readonly MailResult[]): Promise<void> {
  if (results.length === 0) return;
  const { text, values } = recordMailsStatement(currentOrganization(), results);
  await suppressRefused(await rows<RefusedAddress>(text, values));
}

/**
 * Records the outcomes of mails and claims the next mails in one pipelined transaction. A worker calls this repeatedly
 * while it sends. Addresses that a server refused are suppressed afterwards; a crash in between can cause one more mail
 * to such an address.
 */
export async function recordAndClaimMails(
  organizationId: string,
  results: readonly MailResult[],
  mails: readonly MailToClaim[],
): Promise<Map<string, string>> {
  const [refused, claimed] = (await writePipelined(organizationId, [
    recordMailsStatement(organizationId, results),
    claimStatement(organizationId, mails),
  ])) as [RefusedAddress[], ClaimedMail[]];
  if (refused.length > 0) await inTenant(organizationId, () => suppressRefused(refused));
  return idsOf(claimed);
}

type ClaimedMail = { id: string; message_id: string };
type RefusedAddress = { email: string };

const idsOf = (claimed: readonly ClaimedMail[]) => new Map(claimed.map(({ id, message_id }) => [message_id, id]));

/**
 * Returns the statement that claims mails which another statement of the same pipelined transaction has chosen. Such
 * mails have no recipient user and are not repeatable. It returns the ids of the claimed mails; those that were claimed
 * before are missing.
 * @param chosen SQL that selects `message_id` and `email`
 */
export const claimChosenStatement = (chosen: Statement): Statement => ({
  ...chosen,
  text: `INSERT INTO mail_messages (organization_id, message_id, email, critical, repeatable)
    SELECT (SELECT app.org_id()), chosen.message_id, lower(chosen.email), false, false FROM (${chosen.text}) chosen
    ON CONFLICT ON CONSTRAINT mail_messages_once DO NOTHING RETURNING id, message_id`,
});

/**
 * The ids are also passed as an array: Postgres knows the length of an array and therefore uses the index, instead of
 * scanning all rows of the tenant.
 */
const claimStatement = (organizationId: string, mails: readonly MailToClaim[]): Statement => ({
  text: `WITH given AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS given ("messageId" text, "recipientId" uuid, email text,
         critical boolean, repeatable boolean, "notificationIds" uuid[])),
     claimed AS (
       INSERT INTO mail_messages (organization_id, message_id, recipient_id, email, critical, repeatable)
       SELECT $1, "messageId", "recipientId", lower(email), critical, repeatable FROM given ORDER BY "messageId"
       ON CONFLICT ON CONSTRAINT mail_messages_once DO UPDATE SET claimed_at = now(), email = excluded.email
         WHERE mail_messages.outcome IS NULL AND mail_messages.repeatable
           AND mail_messages.claimed_at < now() - ${CLAIM_LEASE}
       RETURNING id, message_id),
     carried AS (
       UPDATE notification_deliveries d SET mail_id = c.id, claimed_at = now()
         FROM (SELECT c.id, unnest(g."notificationIds") AS notification_id
                 FROM claimed c JOIN given g ON g."messageId" = c.message_id) c
        WHERE d.organization_id = $1 AND d.channel = 'email' AND d.notification_id = c.notification_id
          AND d.notification_id = ANY($3::uuid[]))
     SELECT id, message_id FROM claimed`,
  values: [organizationId, JSON.stringify(mails), mails.flatMap(({ notificationIds }) => notificationIds)],
  prepared: true,
});

/**
 * Returns the statement that records outcomes of mails. A known outcome replaces `unknown`, never the reverse. The
 * statement returns the addresses that a mail server refused.
 */
export const recordMailsStatement = (organizationId: string, results: readonly MailResult[]): Statement => ({
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
  prepared: true,
});

/** Releases claims of mails that no server has accepted. Their deliveries are due again after `seconds`. */
export async function releaseMails(mailIds: readonly string[], seconds: number): Promise<void> {
  await rows(
    `WITH waiting AS (
       UPDATE notification_deliveries SET claimed_at = NULL, due_at = now() + $3 * interval '1 second', mail_id = NULL
        WHERE organization_id = $1 AND mail_id = ANY($2::uuid[]) AND outcome IS NULL)
     DELETE FROM mail_messages WHERE organization_id = $1 AND id = ANY($2::uuid[]) AND outcome IS NULL`,
    [currentOrganization(), mailIds, seconds],
  );
}

/**
 * Makes the deliveries of a mail with unknown outcome due again. The mail will be sent again under the same Message-ID.
 */
export async function rescheduleMail(mailId: string, seconds: number): Promise<void> {
  await rows(
    `UPDATE notification_deliveries SET due_at = now() + $3 * interval '1 second'
      WHERE organization_id = $1 AND mail_id = $2 AND outcome IS NULL`,
    [currentOrganization(), mailId, seconds],
  );
}

/** Delays deliveries that exceed a person's hourly mail limit, so that they are combined into one mail later. */
export async function batchDeliveries(notificationIds: readonly string[], seconds: number): Promise<void> {
  await rows(
    `UPDATE notification_deliveries SET claimed_at = NULL, held = true, reason = 'batched', due_at = now() + $3 * interval '1 second'
      WHERE organization_id = $1 AND channel = 'email' AND notification_id = ANY($2::uuid[]) AND outcome IS NULL`,
    [currentOrganization(), notificationIds, seconds],
  );
}

/**
 * Gives the outcome `unknown` to claimed mails that never got an outcome and are not sent again. These are mails that
 * are not repeatable, and mails without an open delivery. A mail to a recipient without a user is left alone; the
 * process that sends it also closes it.
 */
export async function closeOldMails(): Promise<void> {
  await rows(
    `WITH old AS (
       UPDATE mail_messages m SET outcome = 'unknown', concluded_at = now()
        WHERE m.organization_id = $1 AND m.outcome IS NULL AND m.claimed_at < now() - ${CLAIM_LEASE}
          AND m.recipient_id IS NOT NULL AND NOT (m.repeatable AND EXISTS (SELECT FROM notification_deliveries d
            WHERE d.organization_id = $1 AND d.mail_id = m.id AND d.outcome IS NULL))
       RETURNING m.id)
     UPDATE notification_deliveries d SET outcome = 'unknown', reason = 'no_answer', concluded_at = now()
       FROM old WHERE d.organization_id = $1 AND d.mail_id = old.id AND d.outcome IS NULL`,
    [currentOrganization()],
  );
}
