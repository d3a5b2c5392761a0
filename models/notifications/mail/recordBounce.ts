import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { inPlatform, inTenant } from '../../database/tenancy.js';
import { notificationsUpstream } from '../upstream.js';

/**
 * Number of hard bounces within HARD_BOUNCE_PERIOD after which an address is suppressed. An address that does not exist
 * is suppressed after the first one.
 */
const HARD_BOUNCE_LIMIT = 2;
/** Period in which hard bounces of an address are counted. */
const HARD_BOUNCE_PERIOD = "interval '7 days'";

/**
 * Applies a bounce report to a mail of any organization. A repeated report, or a report about a deleted mail, changes
 * nothing.
 * @param status status code of the report (RFC 3463)
 */
export async function recordBounce(mailId: string, status: string): Promise<void> {
  const row = await inPlatform(
    () =>
      firstRow<{ organization_id: string | null }>('SELECT app.organization_of_mail($1) AS organization_id', [mailId]),
    { readOnly: true },
  );
  if (row?.organization_id) await inTenant(row.organization_id, () => applyBounce(mailId, status));
}

async function applyBounce(mailId: string, status: string): Promise<void> {
  const organizationId = currentOrganization();
  const mail = await firstRow<{ email: string; recipient_id: string | null; message_id: string }>(
    `UPDATE mail_messages SET outcome = 'bounced', status = $3, concluded_at = coalesce(concluded_at, now()),
            bounced_at = CASE WHEN $3 LIKE '5.%' THEN now() END
      WHERE organization_id = $1 AND id = $2 AND outcome IS DISTINCT FROM 'bounced'
      RETURNING email, recipient_id, message_id`,
    [organizationId, mailId, status],
  );
  if (!mail) return;
  await rows(
    `UPDATE notification_deliveries SET outcome = 'failed', reason = 'gateway_rejected', concluded_at = now()
      WHERE organization_id = $1 AND mail_id = $2`,
    [organizationId, mailId],
  );
  if (mail.recipient_id === null) await notificationsUpstream().noteBounce(mail.message_id);
  await suppressRefused([mail]);
}

/**
 * Stops mail to those of the given addresses that do not exist or were refused too often. The caller has already
 * recorded the refusals.
 */
export async function suppressRefused(mails: readonly { email: string }[]): Promise<void> {
  if (mails.length === 0) return;
  const emails = mails.map(({ email }) => email);
  const organizationId = currentOrganization();
  // Locks the addresses, so that of two concurrent refusals of the same address the second one counts the first.
  for (const email of [...emails].sort())
    await rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 26))', [`${organizationId}${email}`]);
  await rows(
    `INSERT INTO mail_suppressions (organization_id, user_id, email, reason, status)
     SELECT $1, newest.recipient_id, newest.email,
            CASE WHEN newest.status LIKE '5.1.%' THEN 'unknown_address' ELSE 'hard_bounces' END, newest.status
       FROM unnest($2::text[]) AS given (email)
      CROSS JOIN LATERAL (SELECT m.recipient_id, m.email, m.status, count(*) OVER () AS refusals FROM mail_messages m
        WHERE m.organization_id = $1 AND m.email = given.email AND m.bounced_at > now() - ${HARD_BOUNCE_PERIOD}
        ORDER BY m.bounced_at DESC, m.id DESC LIMIT 1) newest
      WHERE newest.status LIKE '5.1.%' OR newest.refusals >= ${HARD_BOUNCE_LIMIT}
     ON CONFLICT ON CONSTRAINT mail_suppressions_once DO NOTHING`,
    [organizationId, emails],
  );
}
