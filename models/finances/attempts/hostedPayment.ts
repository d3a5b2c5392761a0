/** Pays one invoice on a hosted page of the gateway. The attempt is committed before its workflow requests the page. */
import { hostedPage } from '../../../workflows/contracts/index.js';
import { LOOK_SIGNAL } from '../../../workflows/contracts/hostedPage.js';
import { createRow, lockExclusive } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { firstRow, oneRow } from '../../database/rows.js';
import { defineErrors, requireFound, refuse } from '../../errors.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { requireActiveProcessor } from '../payment-processors/activeProcessor.js';
import { minChargeCentsOf } from '../payment-processors/providers.js';
import { requestPageClosing } from './hostedPage.js';
import { type AttemptStatus, PaymentAttempt } from './PaymentAttempt.js';

export const hostedPaymentErrors = defineErrors({
  invoice_not_payable: [409, 'This invoice cannot be paid: it is void, or nothing is due on it.'],
  amount_too_small: [
    409,
    'The balance of this invoice is less than the minimum card charge, so it cannot be paid online.',
  ],
  invoice_being_paid: [409, 'This invoice is being paid right now. Try again in a moment.'],
  earlier_page_open: [
    409,
    'An earlier payment page of this invoice is still open. It closes within half an hour; try again then.',
  ],
});

/**
 * A payer's click on 'pay', with the attempt that it led to. If an earlier attempt must end first, the click refers to
 * that attempt.
 */
export interface HostedClick {
  attemptId: string;
  /** Time of the click. Gateway responses from before this time are too old to be shown. */
  at: Date;
}

interface PendingAttempt {
  id: string;
  isReusable: boolean;
}

/**
 * Finds or creates the attempt to pay an invoice's balance. The workflow checks the page at the gateway before the
 * payer is redirected. A page for another amount, of another processor or near its expiry is closed first.
 * @throws Refusal not_found, invoice_not_payable, amount_too_small, invoice_being_paid, payment_processor_required
 */
export async function openHostedAttempt(invoiceId: string, userId: string): Promise<HostedClick> {
  const invoice = requireFound(await lockExclusive(ChapterInvoice, invoiceId));
  if (invoice.status === 'void' || invoice.balance_due_cents === 0) throw hostedPaymentErrors.invoice_not_payable();
  const reserved = await firstRow(
    'SELECT 1 FROM chapter_remittance_allocations WHERE invoice_id = $1 AND reserved_by_attempt_id IS NOT NULL',
    [invoiceId],
  );
  if (reserved) throw hostedPaymentErrors.invoice_being_paid();
  const processor = await requireActiveProcessor();
  if (invoice.balance_due_cents < minChargeCentsOf(processor.provider)) throw hostedPaymentErrors.amount_too_small();

  const pending = await findPendingAttempt(invoiceId, processor.id, invoice.balance_due_cents);
  if (pending && !pending.isReusable) await requestPageClosing(pending.id, 'replaced');
  const attemptId = pending?.id ?? (await createAttempt(invoice, processor.id, userId));
  // Start the workflow. The workflow of a new attempt requests the page; the workflow of an existing one is signalled
  // to ask the gateway for the page's state.
  await enqueue(hostedPage, { attemptId }, { signal: pending ? LOOK_SIGNAL : null });
  const { at } = await oneRow<{ at: Date }>('SELECT clock_timestamp() AS at');
  return { attemptId, at };
}

/**
 * Finds a pending attempt of the invoice or of the invoices that it replaces. Attempts that are closing come first,
 * then the oldest.
 */
const findPendingAttempt = (invoiceId: string, processorId: string, dueCents: number): Promise<PendingAttempt | null> =>
  firstRow<PendingAttempt>(
    `WITH RECURSIVE own AS (
       SELECT id, organization_id, replaces FROM chapter_invoices WHERE id = $1
       UNION ALL SELECT i.id, i.organization_id, i.replaces FROM own
         JOIN chapter_invoices i ON i.organization_id = own.organization_id AND i.id = own.replaces)
     SELECT id, closing_since IS NULL AND processor_id = $2 AND amount_cents = $3
                AND coalesce(checkout_expires_at, 'infinity') > now() + interval '5 minutes' AS "isReusable"
       FROM payment_attempts WHERE invoice_id IN (SELECT id FROM own) AND status = 'pending' ORDER BY closing_since NULLS LAST, id LIMIT 1`,
    [invoiceId, processorId, dueCents],
  );

async function createAttempt(invoice: ChapterInvoice, processorId: string, userId: string): Promise<string> {
  const attempt = await createRow(PaymentAttempt, {
    invoice_id: invoice.id,
    processor_id: processorId,
    amount_cents: invoice.balance_due_cents,
    currency: invoice.currency,
    requested_by: userId,
  });
  return attempt.id;
}

/** State of an attempt's page, for the response to a click. */
export interface HostedAnswer {
  status: AttemptStatus;
  /** Whether the gateway refused to open the page, so that none is open. */
  refused: boolean;
  closing: boolean;
  /** Whether the gateway has a payment whose outcome it does not know yet. */
  processing: boolean;
  url: string | null;
  expiresAt: Date | null;
  /** Whether the gateway was asked after the click. */
  isUpToDate: boolean;
}

/**
 * Reads the state of an attempt's page for the response to a click.
 * @throws Refusal not_found
 */
export async function readHostedAnswer({ attemptId, at }: HostedClick): Promise<HostedAnswer> {
  const answer = await firstRow<HostedAnswer>(
    `SELECT status, status = 'failed' AND checkout_session_id IS NULL AND checkout_keys > 0 AND failure_code <> 'gateway_unavailable'
              AND closing_since IS NULL AS refused,
            closing_since IS NOT NULL AS closing, status = 'pending' AND intent_id IS NOT NULL AS processing,
            CASE WHEN checkout_expires_at > now() THEN checkout_url END AS url, checkout_expires_at AS "expiresAt",
            coalesce(checkout_looked_at >= $2, false) AS "isUpToDate"
       FROM payment_attempts WHERE id = $1`,
    [attemptId, at],
  );
  if (!answer) throw refuse.not_found();
  return answer;
}
