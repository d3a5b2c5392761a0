import { audit } from '../../database/audit.js';
import { changeRow } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { found } from '../../errors.js';
import { type AttemptEnd, concludeAttempt } from '../attempts/concludeAttempt.js';
import { PaymentAttempt } from '../attempts/PaymentAttempt.js';
import type { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { holdCurrent } from '../invoices/holdCurrent.js';
import { recordPayment } from '../recordPayment.js';
import { MAX_CHARGE_CENTS } from '../attempts/chargeLimits.js';
import { flagStrayCapture } from './flagStrayCapture.js';
import { captureOf } from './ProcessorCapture.js';

/** Money that a processor took for one invoice. */
export interface InvoiceCharge {
  processorId: string;
  intentId: string;
  invoiceId: string;
  amountCents: number;
  /** ISO 4217, lower case; null where the processor does not say. */
  currency: string | null;
  /** Named by the charge's own reference; a hosted page opens its charge only when it is paid on. */
  attemptId: string | null;
}

/**
 * Records a charge for an invoice, once however often and by whomever it is told: its event, or the process of its page.
 * Where its dues were issued anew meanwhile the invoice that stands for it now is paid. What was more than was due becomes credit, and the audit log says why. Money that cannot be meant is flagged.
 * @throws Refusal not_found when this tenant has no such invoice
 */
export async function recordInvoiceCharge(charge: InvoiceCharge): Promise<'recorded' | 'flagged'> {
  const { invoiceId, intentId, amountCents, currency } = charge;
  // The invoice first, then its attempts: everybody locks in this order.
  const before = found(await holdCurrent(invoiceId));
  if (amountCents > MAX_CHARGE_CENTS || (currency !== null && currency !== before.currency)) {
    await flagStrayCapture(charge);
    await concludeFor(charge, 'flagged');
    return 'flagged';
  }
  await rows(
    `INSERT INTO processor_captures (organization_id, processor_id, intent_id, invoice_id, amount_cents, disposition)
     VALUES ($1, $2, $3, $4, $5, 'recorded') ON CONFLICT ON CONSTRAINT captures_intent_unique DO NOTHING`,
    [currentOrganization(), charge.processorId, intentId, invoiceId, amountCents],
  );
  const capture = await captureOf(charge.processorId, intentId);
  if (capture?.disposition !== 'recorded') {
    // It was kept for an administrator before; what became of it is theirs to say, and it is credited once.
    await concludeFor(charge, 'flagged');
    return 'flagged';
  }
  // Before the balance changes: the page that is paid here is not one to be closed because of it.
  await concludeFor(charge, 'succeeded');
  const { recorded, creditIssuedCents } = await recordPayment({ ...charge, processorPaymentId: intentId });
  if (recorded && creditIssuedCents > 0) await tellUnexpected(charge, before, creditIssuedCents);
  return 'recorded';
}

async function concludeFor(
  { attemptId, invoiceId, processorId, intentId }: InvoiceCharge,
  status: AttemptEnd['status'],
): Promise<void> {
  if (attemptId) {
    const unpaid = { id: attemptId, invoice_id: invoiceId, processor_id: processorId, intent_id: null };
    await changeRow(PaymentAttempt, unpaid, { intent_id: intentId });
  }
  await concludeAttempt({ intentId, processorId }, { status });
}

/** Says in words why money came that nobody waited for: an administrator may want to give it back. */
const tellUnexpected = (
  { invoiceId, intentId, attemptId, amountCents }: InvoiceCharge,
  before: ChapterInvoice,
  creditIssuedCents: number,
): Promise<void> =>
  audit({
    action: 'payment.unexpected',
    subjectType: 'invoice',
    subjectId: invoiceId,
    after: {
      processor_payment_id: intentId,
      attempt_id: attemptId,
      amount_cents: amountCents,
      due_cents: before.balance_due_cents,
      credit_issued_cents: creditIssuedCents,
      reason: `${whyUnexpected(before)} What was not due became credit of the payer.`,
    },
  });

function whyUnexpected({ status, balance_due_cents }: ChapterInvoice): string {
  if (status === 'void') return 'The invoice was void when it was paid.';
  if (balance_due_cents === 0) return 'The invoice was paid already when it was paid once more.';
  return 'Less was due than was paid.';
}
