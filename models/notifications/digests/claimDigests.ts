/**
 * Claims the digests (summaries of notifications) whose mail is due. Evaluates the delivery rules and reads the items
 * again, and then claims the mail like any other mail.
 */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { CLAIM_LEASE } from '../deliveries/claimDeliveries.js';
import { evaluatedDeliveries } from '../deliveries/rules.js';
import type { Category } from '../eventTypes.js';
import { claimMails, closeOldMails, type MailResult, recordMails, releaseMails } from '../mail/claimMails.js';
import { HAS_ACCESS } from '../statements.js';

export interface DigestItem {
  id: string;
  category: Category;
  title: string;
  body: string;
  targetUrl: string;
  actionLabel: string | null;
  createdAt: Date;
}

export interface ClaimedDigest {
  id: string;
  mailId: string;
  messageId: string;
  userId: string;
  email: string;
  firstName: string | null;
  timezone: string;
  frequency: 'daily' | 'weekly';
  /** Number of notifications in the digest's period. */
  count: number;
  /** Number of notifications that the digest lists. Some of them may have been withdrawn since. */
  named: number;
  createdAt: Date;
  summary: string | null;
  items: DigestItem[];
}

type Candidate = Omit<ClaimedDigest, 'mailId' | 'messageId' | 'items'>;

/** Claims the digests whose mail is due. Digests that must not be mailed are closed, and the reason is recorded. */
export async function claimDigests(limit: number): Promise<ClaimedDigest[]> {
  await closeOldDigests();
  const candidates = await rows<Candidate>(
    `WITH next AS (
       SELECT id FROM notification_digests
        WHERE organization_id = $1 AND sent_at IS NULL AND unmailed_reason IS NULL AND mail_id IS NULL AND due_at <= now()
        ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED),
     judged AS (
       SELECT d.id, d.user_id, u.email, u.first_name, d.frequency, d.notification_count, d.created_at, d.summary,
              cardinality(d.notification_ids) AS named,
              coalesce(q.timezone, o.timezone) AS timezone, app.held_until(d.user_id, d.created_at) AS quiet_until,
              CASE WHEN NOT ${HAS_ACCESS} THEN 'no_access' WHEN p.frequency IS NULL THEN 'preference_off'
                   WHEN u.email IS NULL OR u.placeholder_in IS NOT NULL THEN 'no_verified_address'
                   WHEN EXISTS (SELECT FROM mail_suppressions s WHERE s.organization_id = $1 AND s.email = lower(u.email))
                   THEN 'address_suppressed' END AS reason
         FROM next JOIN notification_digests d ON d.organization_id = $1 AND d.id = next.id
        CROSS JOIN LATERAL (SELECT d.organization_id, d.user_id AS recipient_id) n
         JOIN organizations o ON o.id = d.organization_id
         JOIN users u ON u.id = d.user_id
         LEFT JOIN user_quiet_hours q ON q.user_id = d.user_id
         LEFT JOIN digest_preferences p ON p.organization_id = $1 AND p.user_id = d.user_id),
     decided AS (
       UPDATE notification_digests d SET unmailed_reason = j.reason, due_at = coalesce(j.quiet_until, d.due_at),
              held = j.quiet_until IS NOT NULL
         FROM judged j WHERE d.organization_id = $1 AND d.id = j.id AND (j.reason IS NOT NULL OR j.quiet_until IS NOT NULL))
     SELECT id, user_id AS "userId", email, first_name AS "firstName", timezone, frequency, notification_count AS count, named,
            created_at AS "createdAt", summary
       FROM judged WHERE reason IS NULL AND quiet_until IS NULL ORDER BY id`,
    [currentOrganization(), limit],
  );
  const items = await itemsOf(candidates.map(({ id }) => id));
  const empty = candidates.filter(({ id }) => !items.has(id));
  await closeUnmailed(
    empty.map(({ id }) => id),
    'withdrawn',
  );
  return claimDigestMails(
    candidates.flatMap((one) => (items.has(one.id) ? [{ ...one, items: items.get(one.id) as DigestItem[] }] : [])),
  );
}

async function claimDigestMails(digests: (Candidate & { items: DigestItem[] })[]): Promise<ClaimedDigest[]> {
  const messageId = (id: string) => `digest.${id}`;
  const ids = await claimMails(
    digests.map(({ id, userId, email }) => ({
      messageId: messageId(id),
      recipientId: userId,
      email,
      critical: false,
      repeatable: false,
      notificationIds: [],
    })),
  );
  const claimedDigests = digests.flatMap((digest) => {
    const mailId = ids.get(messageId(digest.id));
    return mailId ? [{ ...digest, mailId, messageId: messageId(digest.id) }] : [];
  });
  await rows(
    `UPDATE notification_digests d SET mail_id = given.mail FROM unnest($2::uuid[], $3::uuid[]) AS given (id, mail)
      WHERE d.organization_id = $1 AND d.id = given.id`,
    [currentOrganization(), claimedDigests.map(({ id }) => id), claimedDigests.map(({ mailId }) => mailId)],
  );
  return claimedDigests;
}

/**
 * Returns the items of digests that the recipient may still see, with their current texts, in the order of the digest.
 */
export async function itemsOf(digestIds: readonly string[]): Promise<Map<string, DigestItem[]>> {
  const digestRows = await rows<{ digestId: string; items: (DigestItem & { createdAt: string })[] }>(
    `SELECT n.digest_id AS "digestId", json_agg(json_build_object('id', n.id, 'category', n.category, 'title', x.title,
              'body', x.body, 'targetUrl', n.target_url, 'actionLabel', n.action_label, 'createdAt', n.created_at)
            ORDER BY n.nth) AS items
     ${evaluatedDeliveries(
       `(SELECT n.*, d.id AS digest_id, named.nth FROM notification_digests d
         CROSS JOIN LATERAL unnest(d.notification_ids) WITH ORDINALITY AS named (id, nth)
          JOIN notifications n ON n.organization_id = $1 AND n.id = named.id AND n.recipient_id = d.user_id
         WHERE d.organization_id = $1 AND d.id = ANY($2::uuid[]))`,
       'in_app',
     )}
      WHERE v.reason IS NULL GROUP BY n.digest_id`,
    [currentOrganization(), digestIds],
  );
  return new Map(
    digestRows.map(({ digestId, items }) => [
      digestId,
      items.map((item) => ({ ...item, createdAt: new Date(item.createdAt) })),
    ]),
  );
}

export interface DigestResult {
  digest: ClaimedDigest;
  /** Absent if no server accepted the mail; the digest is then due again. */
  result?: MailResult;
}

/** Records the outcomes of digest mails. */
export async function recordDigests(results: readonly DigestResult[], seconds: number): Promise<void> {
  await recordMails(results.flatMap(({ result }) => result ?? []));
  for (const { digest, result } of results) {
    if (!result) await postponeDigest(digest, seconds);
    else if (result.outcome === 'sent')
      await rows('UPDATE notification_digests SET sent_at = now() WHERE organization_id = $1 AND id = $2', [
        currentOrganization(),
        digest.id,
      ]);
    else await closeUnmailed([digest.id], result.outcome === 'failed' ? 'gateway_rejected' : 'no_answer');
  }
}

async function postponeDigest({ id, mailId }: ClaimedDigest, seconds: number): Promise<void> {
  await releaseMails([mailId], seconds);
  await rows(
    `UPDATE notification_digests SET due_at = now() + $3 * interval '1 second' WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), id, seconds],
  );
}

const closeUnmailed = (ids: readonly string[], reason: string) =>
  rows(
    `UPDATE notification_digests SET unmailed_reason = $3
      WHERE organization_id = $1 AND id = ANY($2::uuid[]) AND sent_at IS NULL AND unmailed_reason IS NULL`,
    [currentOrganization(), ids, reason],
  );

/**
 * Closes digests whose mail was claimed but never got an outcome. The mail may have been sent, so it is not sent again.
 */
async function closeOldDigests(): Promise<void> {
  await closeOldMails();
  await rows(
    `UPDATE notification_digests d SET unmailed_reason = 'no_answer' FROM mail_messages m
      WHERE d.organization_id = $1 AND m.organization_id = $1 AND m.id = d.mail_id AND m.outcome = 'unknown'
        AND d.sent_at IS NULL AND d.unmailed_reason IS NULL`,
    [currentOrganization()],
  );
}

export async function saveSummary(digestId: string, summary: string): Promise<void> {
  await rows('UPDATE notification_digests SET summary = $3 WHERE organization_id = $1 AND id = $2', [
    currentOrganization(),
    digestId,
    summary,
  ]);
}

/** Returns the seconds until the mail of a digest is due; 0 if one is due now, null if none is pending. */
export async function nextDigestIn(): Promise<number | null> {
  const { seconds } = await oneRow<{ seconds: number | null }>(
    `SELECT CASE WHEN count(*) > 0 THEN greatest(0, ceil(extract(epoch FROM min(due) - now())))::int END AS seconds
       FROM (SELECT greatest(d.due_at, m.claimed_at + ${CLAIM_LEASE}) AS due FROM notification_digests d
               LEFT JOIN mail_messages m ON m.organization_id = $1 AND m.id = d.mail_id
              WHERE d.organization_id = $1 AND d.sent_at IS NULL AND d.unmailed_reason IS NULL) waiting`,
    [currentOrganization()],
  );
  return seconds;
}
