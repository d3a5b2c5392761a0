/**
 * Decides whether a bulletin is mailed now, and claims its recipients. The claim of a recipient and of its mail are
 * committed before the mail is sent, so that a crash leaves at most ten recipients whose mail may have been sent.
 */
import type { FoundationBulletinOutcome } from '../../../workflows/contracts/foundationBulletin.js';
import { writePipelined } from '../../database/pipelinedTransaction.js';
import { FORCE_GENERIC_PLAN } from '../../database/preparedQuery.js';
import { editRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { currentOrganization, oneRow, rows, type Statement } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { uuidv7 } from '../../database/uuid.js';
import { RowMissing } from '../../errors.js';
import {
  claimChosenStatement,
  type MailResult,
  recordMails,
  recordMailsStatement,
  releaseMails,
} from '../../notifications/mail/claimMails.js';
import { suppressRefused } from '../../notifications/mail/recordBounce.js';
import { notify } from '../../notifications/notify.js';
import { isStillAdmin } from '../config/isStillAdmin.js';
import { FoundationConfig } from '../config/FoundationConfig.js';
import { notifications } from '../notifications.js';
import { composeBulletinMail } from './bulletinMail.js';
import { FoundationBulletin } from './FoundationBulletin.js';

/** How late a bulletin may be, and how long its sending may stand still, until it is put on hold. */
const MAX_DELAY_SECONDS = 12 * 3600;

/** A round whose mails the caller sends now. */
export interface SendingRound {
  bulletinId: string;
  round: number;
  /** Identifies the step that may claim recipients. */
  sender: string;
  audience: string;
  campaignId: string | null;
  content: ReturnType<typeof composeBulletinMail>;
}

/** A claimed recipient; the caller must send the mail now. */
export interface ClaimedRecipient {
  recipientId: string;
  mailId: string;
  messageId: string;
  email: string;
}

/** The outcome of the mail of a recipient. */
export interface RecipientResult {
  recipientId: string;
  mail: MailResult;
  /** Why a mail failed that the server did not refuse for good. */
  reason: 'server_unavailable' | null;
}

/** The process of a round is over, or continues after some seconds. */
export type BulletinStep = { over: FoundationBulletinOutcome } | { seconds: number };

interface Delays {
  /** Seconds until the bulletin is due; negative if it is late. */
  due: number;
  /** Seconds since the last recorded outcome; null before sending begins. */
  idle: number | null;
}

/**
 * Begins a step of a round. Recipients whose mail an earlier step left without an outcome become `outcome_unknown`, and
 * that step can claim no more.
 * @returns the round, if its mails are to be sent now
 * @throws RowMissing
 */
export async function beginSending(bulletinId: string, round: number): Promise<SendingRound | BulletinStep> {
  const bulletin = await lockForEditIfExists(FoundationBulletin, bulletinId);
  if (!bulletin) throw new RowMissing('There is no such bulletin.');
  if (bulletin.round !== round || bulletin.status === 'draft') return { over: 'stopped' };
  await closeLeftMails(bulletinId);
  if (bulletin.status === 'sent') return { over: bulletin.stopped_at === null ? 'sent' : 'stopped' };
  if (bulletin.held_at !== null) return { over: 'held' };
  const { due, idle } = await readDelays(bulletinId);
  if (bulletin.status === 'scheduled' && due > 0) return { seconds: Math.ceil(due) };
  const isTooLate = idle === null ? -due > MAX_DELAY_SECONDS : idle > MAX_DELAY_SECONDS;
  if (isTooLate || !(await isStillAdmin(bulletin.started_by))) return hold(bulletin);
  if (idle === null) await freezeAudience(bulletin);
  return takeOver(bulletin);
}

const readDelays = (bulletinId: string): Promise<Delays> =>
  oneRow<Delays>(
    `SELECT extract(epoch FROM send_at - now())::float8 AS due, extract(epoch FROM now() - progressed_at)::float8 AS idle
       FROM foundation_bulletins WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), bulletinId],
  );

async function hold(bulletin: FoundationBulletin): Promise<BulletinStep> {
  await editRow(bulletin, { held_at: now });
  // A bulletin may be put on hold once in each round.
  await notify(notifications.foundation_bulletin_held, [bulletin.id], { actor: null, cause: `held:${bulletin.round}` });
  return { over: 'held' };
}

/** Writes the recipients of a bulletin, in one statement. Each address is mailed once. */
async function freezeAudience(bulletin: FoundationBulletin): Promise<void> {
  await rows(
    `INSERT INTO foundation_bulletin_recipients (organization_id, bulletin_id, email, donor_id, user_id)
     SELECT $1, $2, lower(a.email), a.donor_id, a.user_id FROM app.bulletin_audience($1, $3, $4) a ORDER BY lower(a.email)
     ON CONFLICT ON CONSTRAINT bulletin_recipients_once DO NOTHING`,
    [currentOrganization(), bulletin.id, bulletin.audience, bulletin.campaign_id],
  );
  await editRow(bulletin, { status: 'sending', started_at: now, progressed_at: now });
}

async function takeOver(bulletin: FoundationBulletin): Promise<SendingRound> {
  const { id: bulletinId, round, audience, campaign_id: campaignId } = bulletin;
  const sender = uuidv7();
  await rows('UPDATE foundation_bulletins SET sender = $3 WHERE organization_id = $1 AND id = $2', [
    currentOrganization(),
    bulletinId,
    sender,
  ]);
  const content = composeBulletinMail(bulletin, await loadRow(FoundationConfig, {}));
  return { bulletinId, round, sender, audience, campaignId, content };
}

/** Records an outcome for mails that an earlier step claimed and did not conclude: it is unknown whether they were sent. */
async function closeLeftMails(bulletinId: string): Promise<void> {
  const left = await rows<{ mail_id: string }>(
    `SELECT m.id AS mail_id FROM foundation_bulletin_recipients r
       JOIN mail_messages m ON m.organization_id = $1 AND m.message_id = ${MESSAGE_ID}
      WHERE r.organization_id = $1 AND r.bulletin_id = $2 AND r.status = 'pending' AND r.claimed_round IS NOT NULL`,
    [currentOrganization(), bulletinId],
  );
  await recordMails(left.map(({ mail_id: mailId }) => ({ mailId, outcome: 'unknown' })));
  await rows(
    `UPDATE foundation_bulletin_recipients r SET ${OUTCOME}, concluded_at = now()
       FROM (SELECT r.id, m.outcome, NULL::text AS reason FROM foundation_bulletin_recipients r
               LEFT JOIN mail_messages m ON m.organization_id = $1 AND m.message_id = ${MESSAGE_ID}
              WHERE r.organization_id = $1 AND r.bulletin_id = $2 AND r.status = 'pending'
                AND r.claimed_round IS NOT NULL) m
      WHERE r.organization_id = $1 AND r.id = m.id`,
    [currentOrganization(), bulletinId],
  );
}

/** SQL: the Message-ID of the mail of recipient `r`. Each round has another one. */
const MESSAGE_ID = `'bulletin.' || r.id || '.' || r.claimed_round`;

/** SQL: the outcome of a recipient, copied from that of mail `m`. `m.reason` says why a mail was not refused for good. */
const OUTCOME = `status = CASE m.outcome WHEN 'sent' THEN 'sent' WHEN 'bounced' THEN 'bounced' ELSE 'failed' END,
  reason = CASE WHEN m.outcome IN ('sent', 'bounced') THEN NULL WHEN m.outcome = 'failed' THEN coalesce(m.reason, 'refused')
    ELSE 'outcome_unknown' END`;

/** Selects the recipients that a claim looks at. */
interface ClaimRequest {
  limit: number;
  /**
   * Only recipients after this address. It saves time, because Postgres need not skip those before, who were changed a
   * moment ago. The empty text: all recipients; only then an empty result says that none is left.
   */
  after: string;
}

/** A recipient that a claim looked at, and the last address among them. */
type LookedRecipient = { id: string; email: string; last: string };
type ClaimedMail = { id: string; message_id: string };

/**
 * Records outcomes and claims the next recipients, in one pipelined transaction. Recipients who may not be mailed any
 * more are skipped.
 * @returns the claimed recipients, and the last address that was looked at; null if there was none
 */
export async function recordAndClaimRecipients(
  organizationId: string,
  sending: SendingRound,
  results: readonly RecipientResult[],
  request: ClaimRequest,
): Promise<{ claimed: ClaimedRecipient[]; last: string | null }> {
  const mails = results.map(({ mail }) => mail);
  const [, , refused, , , looked, claimed] = (await writePipelined(organizationId, [
    // Planning these statements takes longer than running them.
    FORCE_GENERIC_PLAN,
    lockStatement(organizationId, sending),
    recordMailsStatement(organizationId, mails),
    outcomeStatement(organizationId, sending, results),
    progressStatement(organizationId, sending, results),
    claimStatement(organizationId, sending, request),
    claimMailsStatement(organizationId, sending),
  ])) as [unknown, unknown, { email: string }[], unknown, unknown, LookedRecipient[], ClaimedMail[]];
  if (refused.length > 0) await inTenant(organizationId, () => suppressRefused(refused));
  const mailIds = new Map(claimed.map(({ id, message_id }) => [message_id, id]));
  const recipients = looked.flatMap(({ id, email }) => {
    const messageId = `bulletin.${id}.${sending.round}`;
    const mailId = mailIds.get(messageId);
    return mailId ? [{ recipientId: id, mailId, messageId, email }] : [];
  });
  return { claimed: recipients, last: looked[0]?.last ?? null };
}

/** Locks the bulletin first, as every transaction does that changes its recipients. */
const lockStatement = (organizationId: string, { bulletinId }: SendingRound): Statement => ({
  text: 'SELECT FROM foundation_bulletins WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
  values: [organizationId, bulletinId],
  prepared: true,
});

/** Mails are joined by id: a join by Message-ID, which is computed, made Postgres read all mails of the tenant. */
const outcomeStatement = (
  organizationId: string,
  { round }: SendingRound,
  results: readonly RecipientResult[],
): Statement => ({
  text: `UPDATE foundation_bulletin_recipients r SET ${OUTCOME}, concluded_at = now()
     FROM (SELECT g.*, m.outcome FROM jsonb_to_recordset($2::jsonb) AS g ("recipientId" uuid, "mailId" uuid, reason text)
             JOIN mail_messages m ON m.organization_id = $1 AND m.id = g."mailId" AND m.id = ANY($5::uuid[])) m
    WHERE r.organization_id = $1 AND r.id = m."recipientId" AND r.id = ANY($4::uuid[]) AND r.claimed_round = $3::int
      AND (r.status = 'pending' OR r.reason = 'outcome_unknown')`,
  values: [
    organizationId,
    JSON.stringify(results.map(({ recipientId, mail, reason }) => ({ recipientId, mailId: mail.mailId, reason }))),
    round,
    results.map(({ recipientId }) => recipientId),
    results.map(({ mail }) => mail.mailId),
  ],
  prepared: true,
});

/** Notes that sending goes on, once a minute. Unknown outcomes are no progress: the server may be broken. */
const progressStatement = (
  organizationId: string,
  { bulletinId }: SendingRound,
  results: readonly RecipientResult[],
): Statement => ({
  text: `UPDATE foundation_bulletins SET progressed_at = now()
          WHERE organization_id = $1 AND id = $2 AND $3 AND progressed_at < now() - interval '1 minute'`,
  values: [organizationId, bulletinId, results.some(({ mail }) => mail.outcome !== 'unknown')],
  prepared: true,
});

/**
 * Returns the statement that looks at the next recipients: it claims those who may be mailed and skips the others. A
 * bulletin that was stopped, or that another step sends now, claims no more.
 */
const claimStatement = (
  organizationId: string,
  { bulletinId, round, sender, audience, campaignId }: SendingRound,
  { limit, after }: ClaimRequest,
): Statement => ({
  text: `WITH sending AS MATERIALIZED (
       SELECT id FROM foundation_bulletins WHERE organization_id = $1 AND id = $2 AND status = 'sending'
          AND held_at IS NULL AND round = $3::int AND sender = $4),
     next AS MATERIALIZED (
       SELECT r.id, r.email, r.donor_id, r.user_id FROM foundation_bulletin_recipients r
        WHERE r.organization_id = $1 AND r.bulletin_id = $2 AND r.status = 'pending' AND r.claimed_round IS NULL
          AND r.email > $7 AND EXISTS (SELECT FROM sending)
        ORDER BY r.email LIMIT ${limit}),
     entitled AS MATERIALIZED (
       SELECT a.email, a.donor_id, a.user_id FROM app.bulletin_audience($1, $5, $6) a
        WHERE a.email = ANY (ARRAY(SELECT email FROM next))),
     judged AS MATERIALIZED (
       SELECT n.id, CASE
           WHEN EXISTS (SELECT FROM foundation_bulletin_optouts o WHERE o.organization_id = $1 AND o.email = n.email)
             THEN 'unsubscribed'
           WHEN EXISTS (SELECT FROM mail_suppressions s WHERE s.organization_id = $1 AND s.email = n.email)
             THEN 'suppressed'
           WHEN NOT EXISTS (SELECT FROM entitled e WHERE e.email = n.email
                              AND (e.donor_id = n.donor_id OR e.user_id = n.user_id)) THEN 'not_entitled' END AS reason
         FROM next n)
     UPDATE foundation_bulletin_recipients r
        SET status = CASE WHEN j.reason IS NULL THEN 'pending' ELSE 'skipped' END, reason = j.reason,
            claimed_round = CASE WHEN j.reason IS NULL THEN $3::int END,
            concluded_at = CASE WHEN j.reason IS NOT NULL THEN now() END
       FROM judged j WHERE r.organization_id = $1 AND r.id = j.id
     RETURNING r.id, r.email, (SELECT max(email) FROM next) AS last`,
  values: [organizationId, bulletinId, round, sender, audience, campaignId, after],
  prepared: true,
});

/** Returns the statement that claims the mails of the claimed recipients. It returns only mails that were not claimed before. */
const claimMailsStatement = (organizationId: string, { bulletinId }: SendingRound): Statement =>
  claimChosenStatement({
    text: `SELECT ${MESSAGE_ID} AS message_id, r.email FROM foundation_bulletin_recipients r
            WHERE r.organization_id = $1 AND r.bulletin_id = $2 AND r.status = 'pending' AND r.claimed_round IS NOT NULL`,
    values: [organizationId, bulletinId],
    prepared: true,
  });

/** Releases recipients whose mail no server has: they are claimed again by the next step. */
export async function releaseRecipients(
  { round }: SendingRound,
  recipients: readonly ClaimedRecipient[],
): Promise<void> {
  await releaseMails(
    recipients.map(({ mailId }) => mailId),
    0,
  );
  await rows(
    `UPDATE foundation_bulletin_recipients SET claimed_round = NULL
      WHERE organization_id = $1 AND id = ANY($2::uuid[]) AND status = 'pending' AND claimed_round = $3`,
    [currentOrganization(), recipients.map(({ recipientId }) => recipientId), round],
  );
}

/** Ends a round if no recipient is left. */
export async function endSending({ bulletinId, round, sender }: SendingRound): Promise<BulletinStep> {
  const bulletin = await lockForEditIfExists(FoundationBulletin, { id: bulletinId, round, status: 'sending' });
  // The next step finds out what happened to the bulletin.
  if (!bulletin || bulletin.held_at !== null || bulletin.sender !== sender) return { seconds: 0 };
  const { isLeft } = await oneRow<{ isLeft: boolean }>(
    `SELECT EXISTS (SELECT FROM foundation_bulletin_recipients
       WHERE organization_id = $1 AND bulletin_id = $2 AND status = 'pending') AS "isLeft"`,
    [currentOrganization(), bulletinId],
  );
  if (isLeft) return { seconds: 0 };
  await editRow(bulletin, { status: 'sent', sent_at: now });
  return { over: 'sent' };
}

const BULLETIN_MAIL = /^bulletin\.([0-9a-f-]{36})\.(\d+)$/;

/** Records that the mail of a recipient bounced after a mail server had accepted it. */
export async function recordBouncedBulletin(messageId: string): Promise<void> {
  const [, recipientId, round] = BULLETIN_MAIL.exec(messageId) ?? [];
  if (!recipientId) return;
  await rows(
    `UPDATE foundation_bulletin_recipients SET status = 'bounced', reason = NULL, concluded_at = now()
      WHERE organization_id = $1 AND id = $2 AND claimed_round = $3::int
        AND (status = 'sent' OR reason = 'outcome_unknown')`,
    [currentOrganization(), recipientId, Number(round)],
  );
}
