/** Paying one invoice on a page of the gateway: the attempt is committed before its process asks for the page. */
import { hostedPage } from '../../../workflows/contracts/index.js';
import { LOOK } from '../../../workflows/contracts/hostedPage.js';
import { createRow, holdRow } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { firstRow, oneRow } from '../../database/rows.js';
import { defineErrors, found, refuse } from '../../errors.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { requireActiveProcessor } from '../payment-processors/activeProcessor.js';
import { leastChargeCents } from '../payment-processors/providers.js';
import { closePage } from './hostedPage.js';
import { type AttemptStatus, PaymentAttempt } from './PaymentAttempt.js';

export const hostedPaymentErrors = defineErrors({
  invoice_not_payable: [409, 'This invoice has nothing left to pay.'],
  amount_too_small: [409, 'What is due is less than a card can be charged.'],
  invoice_being_paid: [409, 'This invoice is being paid right now. Look again in a moment.'],
  earlier_page_open: [409, 'An earlier page for it ends within half an hour. Look again then.'],
});

/** A click on 'pay': the attempt that it leads to, or the one that has to end before another can begin. */
export interface HostedClick {
  attemptId: string;
  /** When it was; answers of the gateway that are older do not count. */
  at: Date;
}

interface Pending {
  id: string;
  fits: boolean;
}

/**
 * The attempt to pay what is due on an invoice now. Its process is told to look at the page before anybody is led there;
 * a page for another amount, of another processor or near its end is closed first.
 * @throws Refusal not_found, invoice_not_payable, amount_too_small, invoice_being_paid, payment_processor_required
 */
export async function openHostedAttempt(invoiceId: string, userId: string): Promise<HostedClick> {
  const invoice = found(await holdRow(ChapterInvoice, invoiceId));
  if (invoice.status === 'void' || invoice.balance_due_cents === 0) throw hostedPaymentErrors.invoice_not_payable();
  const reserved = await firstRow(
    'SELECT 1 FROM chapter_remittance_allocations WHERE invoice_id = $1 AND reserved_by_attempt_id IS NOT NULL',
    [invoiceId],
  );
  if (reserved) throw hostedPaymentErrors.invoice_being_paid();
  const processor = await requireActiveProcessor();
  if (invoice.balance_due_cents < leastChargeCents(processor.provider)) throw hostedPaymentErrors.amount_too_small();

  const pending = await pendingAttempt(invoiceId, processor.id, invoice.balance_due_cents);
  if (pending && !pending.fits) await closePage(pending.id, 'replaced');
  const attemptId = pending?.id ?? (await newAttempt(invoice, processor.id, userId));
  // A new page is asked for anyway; of another the gateway is asked what became of it.
  await enqueue(hostedPage, { attemptId }, { signal: pending ? LOOK : null });
  const { at } = await oneRow<{ at: Date }>('SELECT clock_timestamp() AS at');
  return { attemptId, at };
}

/** An attempt that has not ended, of what the invoice stands for too; those that are closing end first, the oldest before all others. */
const pendingAttempt = (invoiceId: string, processorId: string, dueCents: number): Promise<Pending | null> =>
  firstRow<Pending>(
    `WITH RECURSIVE own AS (
       SELECT id, organization_id, replaces FROM chapter_invoices WHERE id = $1
       UNION ALL SELECT i.id, i.organization_id, i.replaces FROM own
         JOIN chapter_invoices i ON i.organization_id = own.organization_id AND i.id = own.replaces)
     SELECT id, closing_since IS NULL AND processor_id = $2 AND amount_cents = $3
                AND coalesce(checkout_expires_at, 'infinity') > now() + interval '5 minutes' AS fits
       FROM payment_attempts WHERE invoice_id IN (SELECT id FROM own) AND status = 'pending' ORDER BY closing_since NULLS LAST, id LIMIT 1`,
    [invoiceId, processorId, dueCents],
  );

async function newAttempt(invoice: ChapterInvoice, processorId: string, userId: string): Promise<string> {
  const attempt = await createRow(PaymentAttempt, {
    invoice_id: invoice.id,
    processor_id: processorId,
    amount_cents: invoice.balance_due_cents,
    currency: invoice.currency,
    requested_by: userId,
  });
  return attempt.id;
}

/** What is known of an attempt's page: what a click is answered by. */
export interface HostedAnswer {
  status: AttemptStatus;
  /** The gateway did not want to open it; nothing was. */
  refused: boolean;
  closing: boolean;
  /** The gateway knows of a payment and does not know its outcome yet. */
  processing: boolean;
  url: string | null;
  expiresAt: Date | null;
  /** Whether the gateway was asked after the click. */
  lookedAt: boolean;
}

/** @throws Refusal not_found */
export async function readHostedAnswer({ attemptId, at }: HostedClick): Promise<HostedAnswer> {
  const answer = await firstRow<HostedAnswer>(
    `SELECT status, status = 'failed' AND checkout_session_id IS NULL AND checkout_keys > 0 AND failure_code <> 'gateway_unavailable'
              AND closing_since IS NULL AS refused,
            closing_since IS NOT NULL AS closing, status = 'pending' AND intent_id IS NOT NULL AS processing,
            CASE WHEN checkout_expires_at > now() THEN checkout_url END AS url, checkout_expires_at AS "expiresAt",
            coalesce(checkout_looked_at >= $2, false) AS "lookedAt"
       FROM payment_attempts WHERE id = $1`,
    [attemptId, at],
  );
  if (!answer) throw refuse.not_found();
  return answer;
}
