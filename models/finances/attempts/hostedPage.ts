/** A hosted page as its process sees it, and what the process writes down about it. */
import { changeRow, holdRow, now } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { concludeAttempt } from './concludeAttempt.js';
import { type AttemptStatus, type ClosingReason, PaymentAttempt } from './PaymentAttempt.js';
import { openAccess, type ProcessorAccess } from './processorAccess.js';

/** Why a page is not to be paid any more, for people. */
export const PAGE_CLOSED: Readonly<Record<ClosingReason, string>> = {
  invoice_paid: 'The invoice was paid in another way.',
  invoice_void: 'The invoice was voided.',
  amount_changed: 'Another amount was due by then.',
  replaced: 'Another page took its place.',
  cancelled: 'An administrator closed the page.',
};

export interface HostedPage {
  id: string;
  invoiceId: string;
  processorId: string;
  amountCents: number;
  currency: string;
  /** What the page says is paid for. */
  description: string;
  status: AttemptStatus;
  sessionId: string | null;
  closing: ClosingReason | null;
  /** How many idempotency keys the page was asked for with: after more than one there may be more than one page. */
  keys: number;
  createdAt: Date;
  /** The last time that the page was asked for. */
  askedAt: Date | null;
  /** A request of ours may still be on its way to the gateway. */
  askedLately: boolean;
  /** Too long ago that somebody clicked: nobody waits for this page any more. */
  stale: boolean;
  /** Past the time at which the gateway said that it ends. */
  isOver: boolean;
  /** Longer ago than any page lives, also one whose opening's answer got lost. */
  outlived: boolean;
  /** The attempt is over, and the gateway has said that nobody can pay on any page of it. */
  closed: boolean;
  access: ProcessorAccess;
}

interface Row extends Omit<HostedPage, 'access'> {
  provider: string;
  secret: string;
}

/** @throws RowMissing */
export async function loadPage(attemptId: string): Promise<HostedPage> {
  const row = await firstRow<Row>(
    `SELECT a.id, a.invoice_id AS "invoiceId", a.processor_id AS "processorId", a.amount_cents AS "amountCents", a.currency,
            i.description, a.status, a.checkout_session_id AS "sessionId", a.closing_reason AS closing,
            a.checkout_keys AS keys, a.created_at AS "createdAt", a.checkout_asked_at AS "askedAt",
            coalesce(a.checkout_asked_at > now() - interval '10 minutes', false) AS "askedLately",
            a.created_at < now() - interval '1 hour' AS stale,
            coalesce(a.checkout_expires_at <= now(), false) AS "isOver",
            greatest(a.checkout_expires_at, a.checkout_asked_at + interval '24 hours') < now() - interval '1 hour' AS outlived,
            a.checkout_keys = 0 OR a.checkout_closed_at IS NOT NULL AS closed,
            p.provider, p.secret_key_encrypted AS secret
       FROM payment_attempts a
       JOIN chapter_invoices i ON i.organization_id = a.organization_id AND i.id = a.invoice_id
       JOIN org_payment_processors p ON p.organization_id = a.organization_id AND p.id = a.processor_id
      WHERE a.id = $1`,
    [attemptId],
  );
  if (!row) throw new RowMissing('There is no such hosted payment.');
  const { provider, secret, ...page } = row;
  return { ...page, access: openAccess(row.processorId, provider, secret) };
}

/**
 * Commits that the page is about to be asked for, before it is.
 * @param fresh under another key than last time
 * @returns the number of the key; null when the page is not to be opened any more
 */
export async function noteOpening(attemptId: string, fresh: boolean): Promise<number | null> {
  const noted = await firstRow<{ keys: number }>(
    `UPDATE payment_attempts SET checkout_asked_at = now(),
            checkout_keys = CASE WHEN $2 OR checkout_keys = 0 THEN checkout_keys + 1 ELSE checkout_keys END
      WHERE id = $1 AND status = 'pending' AND closing_since IS NULL AND checkout_session_id IS NULL
      RETURNING checkout_keys AS keys`,
    [attemptId, fresh],
  );
  return noted?.keys ?? null;
}

/** Keeps the page, so that every click leads to the same one, and whatever comes can be looked up by it. */
export async function rememberPage(
  attemptId: string,
  page: { sessionId: string; url: string | null; expiresAt: Date },
): Promise<void> {
  await changeRow(
    PaymentAttempt,
    { id: attemptId, checkout_session_id: null },
    {
      checkout_session_id: page.sessionId,
      checkout_url: page.url,
      checkout_expires_at: page.expiresAt,
      checkout_looked_at: now,
    },
  );
}

/** Notes that the gateway has just said that the page can still be paid. @returns seconds until it is to be asked again */
export async function noteLook(attemptId: string): Promise<number> {
  const { seconds } = await oneRow<{ seconds: number }>(
    `UPDATE payment_attempts SET checkout_looked_at = now() WHERE id = $1
     RETURNING ceil(greatest(1, extract(epoch FROM
       CASE WHEN now() < checkout_asked_at + interval '15 minutes' THEN checkout_asked_at + interval '15 minutes'
            WHEN checkout_expires_at <= now() THEN now() + interval '1 minute'
            ELSE checkout_expires_at + interval '5 seconds' END - now())))::int AS seconds`,
    [attemptId],
  );
  return seconds;
}

/** Notes a charge whose outcome the gateway does not know yet, a bank's transfer say: the page is over, the payment is not. */
export async function noteProcessing(attemptId: string, intentId: string): Promise<void> {
  await rows(
    `UPDATE payment_attempts SET intent_id = coalesce(intent_id, $2), checkout_looked_at = now()
      WHERE id = $1 AND status = 'pending'`,
    [attemptId, intentId],
  );
}

/** Notes of an attempt that is over that nobody can pay on any page of it any more. */
export async function notePagesClosed(attemptId: string): Promise<void> {
  await rows(
    `UPDATE payment_attempts SET checkout_closed_at = now()
      WHERE id = $1 AND status <> 'pending' AND checkout_keys > 0 AND checkout_closed_at IS NULL`,
    [attemptId],
  );
}

/** Writes down that a page is not to be paid any more; its process closes it. @returns false when it has ended */
export async function closePage(attemptId: string, reason: ClosingReason): Promise<boolean> {
  const closing = await firstRow(
    `UPDATE payment_attempts SET closing_since = coalesce(closing_since, now()), closing_reason = coalesce(closing_reason, $3)
      WHERE organization_id = $1 AND id = $2 AND status = 'pending' AND intent_id IS NULL RETURNING id`,
    [currentOrganization(), attemptId, reason],
  );
  return closing !== null;
}

/** Ends an attempt whose page nobody has asked for. @returns false when it may be open */
export async function cancelPage(attemptId: string): Promise<boolean> {
  const page = await holdRow(PaymentAttempt, attemptId);
  if (page?.status !== 'pending' || page.checkout_keys > 0) return false;
  await concludeAttempt(
    { attemptId },
    { status: 'failed', failureCode: 'cancelled', failureMessage: PAGE_CLOSED.cancelled },
  );
  return true;
}
