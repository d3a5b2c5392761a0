import { audit } from '../../database/audit.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { type AttemptEnd, concludePageCharge } from '../attempts/concludeAttempt.js';
import type { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { lockCurrentInvoice } from '../invoices/lockCurrentInvoice.js';
import { recordPayment } from '../recordPayment.js';
import { MAX_CHARGE_CENTS } from '../attempts/chargeLimits.js';
import { flagStrayCapture } from './flagStrayCapture.js';
import { findCapture } from './ProcessorCapture.js';

/** Money that a processor took for one invoice. */
export interface InvoiceCharge {
  processorId: string;
  intentId: string;
  invoiceId: string;
  amountCents: number;
  /** ISO 4217 code in lower case; null if the processor does not report the currency. */
  currency: string | null;
  /**
   * Id of the attempt in the charge's metadata; null if there is none. For a hosted page the attempt is older than the
   * charge, which exists only once the payer pays.
   */
  attemptId: string | null;
}

/**
 * Records a charge for an invoice, once, although both its webhook event and the workflow of its page report it. If the
 * dues were reissued meanwhile, the replacing invoice is paid. The part that exceeds the balance becomes credit, and
 * the audit log says why. A charge with an impossible amount or in another currency is flagged.
 * @throws Refusal not_found when this tenant has no such invoice
 */
export async function recordInvoiceCharge(charge: InvoiceCharge): Promise<'recorded' | 'flagged'> {
  const { invoiceId, intentId, amountCents, currency } = charge;
  // Lock the invoice first, then its attempts: all transactions lock in this order.
  const before = requireFound(await lockCurrentInvoice(invoiceId));
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
  const capture = await findCapture(charge.processorId, intentId);
  if (capture?.disposition !== 'recorded') {
    // This money was flagged before. An administrator decides about it, so it is not credited here.
    await concludeFor(charge, 'flagged');
    return 'flagged';
  }
  // Conclude the attempt before the balance changes, so that the page just paid is not closed because of the change.
  await concludeFor(charge, 'succeeded');
  const { recorded, creditIssuedCents } = await recordPayment({ ...charge, processorPaymentId: intentId });
  if (recorded && creditIssuedCents > 0) await auditUnexpected(charge, before, creditIssuedCents);
  return 'recorded';
}

const concludeFor = (charge: InvoiceCharge, status: AttemptEnd['status']): Promise<void> =>
  concludePageCharge(charge, { invoice_id: charge.invoiceId }, status);

/** Audits why a payment exceeded the balance and became credit. An administrator may want to refund it. */
const auditUnexpected = (
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
      reason: `${describeUnexpected(before)} The excess became the payer’s credit.`,
    },
  });

function describeUnexpected({ status, balance_due_cents }: ChapterInvoice): string {
  if (status === 'void') return 'The invoice was void when it was paid.';
  if (balance_due_cents === 0) return 'The invoice was already paid.';
  return 'The payment exceeded the balance.';
}
