/** Claims overdue notices one by one before they are mailed, so that no recipient gets one twice after a crash. */
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { shownEmail } from '../../identity/deletion/erased.js';
import { LOCAL_DAY_SQL } from './localDay.js';

export type NoticeOutcome = 'sent' | 'failed' | 'skipped' | 'unknown';

/** A claimed notice with the data of its mail. */
export interface ClaimedNotice {
  id: string;
  invoiceId: string;
  /** Whether the invoice is overdue now; otherwise nothing is mailed. */
  stillDue: boolean;
  /** Whether the notice has waited longer than the maximum mail delay. */
  expired: boolean;
  organization: string;
  description: string;
  dueDate: string;
  balanceDueCents: number;
  currency: string;
  /** Null when there is no recipient. */
  email: string | null;
  firstName: string | null;
  showsAmount: boolean;
}

/** Maximum time to retry a notice that mail servers refuse. */
const MAX_MAIL_DELAY = '3 days';
/** Lifetime of a claim. After it the claiming process is gone, and whether the mail was sent is unknown. */
const CLAIM_LIFETIME = '10 minutes';

/**
 * SQL of the recipient: the member; for a chapter its treasurer, else its president, else an organization admin.
 * Officers do not see amounts that the organization hides from them.
 */
const RECIPIENT_SQL = `LEFT JOIN LATERAL (
    SELECT ${shownEmail('u')} AS email, u.first_name, shows_amount FROM (
      SELECT m.user_id, true AS shows_amount, 0 AS rank, m.id FROM memberships m
       WHERE m.organization_id = i.organization_id AND m.id = i.membership_id
      UNION ALL
      SELECT m.user_id, app.officers_see_amounts(m.organization_id), CASE m.role WHEN 'officer' THEN 1 ELSE 2 END, m.id
        FROM memberships m
       WHERE i.payer_type = 'chapter' AND m.organization_id = i.organization_id AND m.chapter_id = i.chapter_id
         AND app.leads_chapter(m.role, m.status)
      UNION ALL
      SELECT a.user_id, true, 3, a.id FROM app.active_admins(i.organization_id) a
       WHERE i.payer_type = 'chapter') candidates
      -- people who have not accepted yet get notices of their own invoices only
      JOIN users u ON u.id = candidates.user_id AND (u.placeholder_in IS NULL OR candidates.rank = 0)
     ORDER BY candidates.rank, candidates.id LIMIT 1) payer ON true`;

/** Claims the next pending notice. @param except notices that a mail server deferred in this round */
export function claimNotice(except: string[]): Promise<ClaimedNotice | null> {
  return firstRow<ClaimedNotice>(
    `WITH next AS (
       SELECT n.id FROM invoice_notices n
        WHERE n.organization_id = $1 AND n.outcome IS NULL AND n.claimed_at IS NULL AND NOT n.id = ANY($2)
        ORDER BY n.id LIMIT 1 FOR UPDATE SKIP LOCKED),
     claimed AS (
       UPDATE invoice_notices n SET claimed_at = now() FROM next
        WHERE n.organization_id = $1 AND n.id = next.id RETURNING n.id, n.invoice_id, n.created_at)
     SELECT c.id, c.invoice_id AS "invoiceId", c.created_at < now() - interval '${MAX_MAIL_DELAY}' AS expired,
            i.status = 'overdue' AND i.balance_due_cents > 0
              AND NOT app.invoice_is_frozen(i.organization_id, i.id, ${LOCAL_DAY_SQL}) AS "stillDue",
            o.name AS organization, i.description, to_char(i.due_date, 'YYYY-MM-DD') AS "dueDate",
            i.balance_due_cents AS "balanceDueCents", i.currency,
            payer.email, payer.first_name AS "firstName", coalesce(payer.shows_amount, false) AS "showsAmount"
       FROM claimed c
       JOIN chapter_invoices i ON i.organization_id = $1 AND i.id = c.invoice_id
       JOIN organizations o ON o.id = $1
       ${RECIPIENT_SQL}`,
    [currentOrganization(), except],
  );
}

/** Records the outcome of a notice. A certain outcome replaces 'unknown', never the reverse. */
export async function recordNotice(noticeId: string, outcome: NoticeOutcome): Promise<void> {
  await rows(
    `UPDATE invoice_notices SET outcome = $3 WHERE organization_id = $1 AND id = $2 AND (outcome IS NULL OR outcome = 'unknown')`,
    [currentOrganization(), noticeId, outcome],
  );
}

/** Releases a claim whose mail was certainly not accepted by the mail server. */
export async function releaseNotice(noticeId: string): Promise<void> {
  await rows(
    'UPDATE invoice_notices SET claimed_at = NULL WHERE organization_id = $1 AND id = $2 AND outcome IS NULL',
    [currentOrganization(), noticeId],
  );
}

/**
 * Marks expired claims without an outcome as unknown; they are not mailed again.
 * @returns seconds until the oldest open claim expires; 0 when none is open
 */
export async function closeOldClaims(): Promise<number> {
  await rows(
    `UPDATE invoice_notices SET outcome = 'unknown'
      WHERE organization_id = $1 AND outcome IS NULL AND claimed_at < now() - interval '${CLAIM_LIFETIME}'`,
    [currentOrganization()],
  );
  const { seconds } = await oneRow<{ seconds: number }>(
    `SELECT CASE WHEN count(*) = 0 THEN 0 ELSE
              greatest(1, ceil(extract(epoch FROM min(claimed_at) + interval '${CLAIM_LIFETIME}' - now())))::int END AS seconds
       FROM invoice_notices WHERE organization_id = $1 AND outcome IS NULL AND claimed_at IS NOT NULL`,
    [currentOrganization()],
  );
  return seconds;
}
