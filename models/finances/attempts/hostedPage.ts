/** Reads a hosted page for its workflow, and records what the workflow learns about it. */
import { changeRow, lockExclusive, now } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { config } from '../../../config.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { financesUpstream } from '../upstream.js';
import { type AttemptEnd, concludeAttempt } from './concludeAttempt.js';
import { type AttemptStatus, type ClosingReason, PaymentAttempt } from './PaymentAttempt.js';
import { openAccess, type ProcessorAccess } from './processorAccess.js';

/** Reasons to close a page, in words for people. */
export const PAGE_CLOSED: Readonly<Record<ClosingReason, string>> = {
  invoice_paid: 'The invoice was paid in another way.',
  invoice_void: 'The invoice was voided.',
  amount_changed: 'The amount due has changed.',
  replaced: 'Another page replaced it.',
  cancelled: 'An administrator closed the page.',
};

export interface HostedPage {
  id: string;
  /** Id of the invoice or of the gift that the page is for; one of the two ids is null. */
  invoiceId: string | null;
  donationId: string | null;
  processorId: string;
  amountCents: number;
  currency: string;
  /** The pledge whose period the page pays. */
  pledgeId: string | null;
  /** Name of the item on the page. */
  description: string;
  /** Whether the provider keeps the card for later charges. */
  keepsCard: boolean;
  /** Where the provider sends the payer after paying, and after giving up. */
  doneUrl: string;
  cancelUrl: string;
  status: AttemptStatus;
  sessionId: string | null;
  closing: ClosingReason | null;
  /** Number of idempotency keys used to request the page; with more than one there may be more than one page. */
  keys: number;
  createdAt: Date;
  /** Time of the last request for the page. */
  askedAt: Date | null;
  /** Whether a request for the page may still be on its way to the gateway. */
  mayBeInFlight: boolean;
  /** Whether the payer clicked 'pay' more than an hour ago. No payer waits for this page any more. */
  stale: boolean;
  /** Whether the expiry time that the gateway gave has passed. */
  isExpired: boolean;
  /** Whether the maximum lifetime of a page has passed. Known even for a page whose creation response was lost. */
  isPastMaxLifetime: boolean;
  /** Whether the attempt has ended and the gateway has confirmed that none of its pages can be paid. */
  closed: boolean;
  access: ProcessorAccess;
}

interface Row extends Omit<HostedPage, 'access'> {
  provider: string;
  secret: string;
}

/**
 * Loads a hosted page with the access to its processor.
 * @throws RowMissing
 */
export async function loadHostedPage(attemptId: string): Promise<HostedPage> {
  const row = await firstRow<Row>(
    `SELECT a.id, a.invoice_id AS "invoiceId", a.donation_id AS "donationId", a.pledge_id AS "pledgeId", a.page_keeps_card AS "keepsCard", a.processor_id AS "processorId", a.amount_cents AS "amountCents", a.currency,
            coalesce(a.page_description, i.description) AS description, coalesce(a.page_done_url, $2 || i.id || '?payment=done') AS "doneUrl",
            coalesce(a.page_cancel_url, $2 || i.id || '?payment=cancelled') AS "cancelUrl", a.status, a.checkout_session_id AS "sessionId", a.closing_reason AS closing,
            a.checkout_keys AS keys, a.created_at AS "createdAt", a.checkout_asked_at AS "askedAt",
            coalesce(a.checkout_asked_at > now() - interval '10 minutes', false) AS "mayBeInFlight",
            a.created_at < now() - interval '1 hour' AS stale,
            coalesce(a.checkout_expires_at <= now(), false) AS "isExpired",
            greatest(a.checkout_expires_at, a.checkout_asked_at + interval '24 hours') < now() - interval '1 hour' AS "isPastMaxLifetime",
            a.checkout_keys = 0 OR a.checkout_closed_at IS NOT NULL AS closed,
            p.provider, p.secret_key_encrypted AS secret
       FROM payment_attempts a
       LEFT JOIN chapter_invoices i ON i.organization_id = a.organization_id AND i.id = a.invoice_id
       JOIN org_payment_processors p ON p.organization_id = a.organization_id AND p.id = a.processor_id
      WHERE a.id = $1 AND a.has_page`,
    [attemptId, `${config.frontendUrl}/billing/invoices/`],
  );
  if (!row) throw new RowMissing('There is no such hosted payment.');
  const { provider, secret, ...page } = row;
  return { ...page, access: openAccess(row.processorId, provider, secret) };
}

/**
 * Records that the page is about to be requested. The caller commits this before it asks the gateway.
 * @param useNewKey whether to use a new idempotency key instead of the one of the previous request
 * @returns the number of the key; null when the page must not be opened any more
 */
export async function recordPageRequest(attemptId: string, useNewKey: boolean): Promise<number | null> {
  const updated = await firstRow<{ keys: number }>(
    `UPDATE payment_attempts SET checkout_asked_at = now(),
            checkout_keys = CASE WHEN $2 OR checkout_keys = 0 THEN checkout_keys + 1 ELSE checkout_keys END
      WHERE id = $1 AND status = 'pending' AND closing_since IS NULL AND checkout_session_id IS NULL
      RETURNING checkout_keys AS keys`,
    [attemptId, useNewKey],
  );
  return updated?.keys ?? null;
}

/** Records the page, so that every click leads to the same one and its payment can be looked up. */
export async function recordPage(
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

/**
 * Records that the gateway has just confirmed that the page can be paid.
 * @returns seconds until the next check
 */
export async function recordPageCheck(attemptId: string): Promise<number> {
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

/**
 * Records a charge whose outcome the gateway does not know yet, for example a bank transfer. Its page has ended, but
 * the payment is still pending.
 */
export async function recordProcessing(attemptId: string, intentId: string): Promise<void> {
  await rows(
    `UPDATE payment_attempts SET intent_id = coalesce(intent_id, $2), checkout_looked_at = now()
      WHERE id = $1 AND status = 'pending'`,
    [attemptId, intentId],
  );
}

/** Records that none of the pages of an ended attempt can be paid any more. */
export async function recordPagesClosed(attemptId: string): Promise<void> {
  await rows(
    `UPDATE payment_attempts SET checkout_closed_at = now()
      WHERE id = $1 AND status <> 'pending' AND checkout_keys > 0 AND checkout_closed_at IS NULL`,
    [attemptId],
  );
}

/** Records that a page must close; its workflow closes it at the gateway. @returns false when the attempt has ended */
export async function requestPageClosing(attemptId: string, reason: ClosingReason): Promise<boolean> {
  const closing = await firstRow(
    `UPDATE payment_attempts SET closing_since = coalesce(closing_since, now()), closing_reason = coalesce(closing_reason, $3)
      WHERE organization_id = $1 AND id = $2 AND status = 'pending' AND intent_id IS NULL RETURNING id`,
    [currentOrganization(), attemptId, reason],
  );
  return closing !== null;
}

/** Ends the attempt of a page without a payment. An attempt that has already ended stays unchanged. */
export async function failPage(
  { id, donationId }: Pick<HostedPage, 'id' | 'donationId'>,
  failure: Omit<AttemptEnd, 'status'>,
): Promise<void> {
  if (donationId) await financesUpstream().lockDonation(donationId);
  await concludeAttempt({ attemptId: id }, { status: 'failed', ...failure });
}

/** Ends an attempt whose page was never requested. @returns false when the page may be open */
export async function cancelPage(attemptId: string): Promise<boolean> {
  const { donation_id } = await loadRow(PaymentAttempt, attemptId);
  if (donation_id) await financesUpstream().lockDonation(donation_id);
  const page = await lockExclusive(PaymentAttempt, attemptId);
  if (page?.status !== 'pending' || page.checkout_keys > 0) return false;
  await failPage(
    { id: attemptId, donationId: donation_id },
    { failureCode: 'cancelled', failureMessage: PAGE_CLOSED.cancelled },
  );
  return true;
}
