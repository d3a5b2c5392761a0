/**
 * Rules that say which change the present state of an invoice permits. A change checks them under the lock of the
 * invoice; the API checks them as well to say which changes it offers.
 */
import { invalid } from '../../errors.js';
import { financesErrors } from '../errors.js';
import type { InvoiceStatus } from './ChapterInvoice.js';

const REGENERABLE: readonly InvoiceStatus[] = ['open', 'overdue', 'partially_paid'];

/** @throws Refusal invoice_void */
export function requireLive({ status }: { status: InvoiceStatus }): void {
  if (status === 'void') throw financesErrors.invoice_void();
}

/**
 * Refuses a payment of an invoice while a pending charge reserves it; otherwise that charge would pay an invoice that
 * no longer owes the money.
 * @throws Refusal invoice_being_paid
 */
export function requireNotBeingPaid(isBeingPaid: boolean): void {
  if (isBeingPaid) throw financesErrors.invoice_being_paid();
}

/** @throws Refusal validation_error if less than this is due */
export function requireBalance(balanceCents: number, amountCents: number): void {
  if (amountCents <= balanceCents) return;
  throw invalid(
    'amount_cents',
    balanceCents === 0 ? 'Nothing is due on this invoice.' : 'This is more than the balance of the invoice.',
  );
}

/** @throws Refusal validation_error if the lines, less the earlier discounts, are less than this */
export function requireDiscountable(
  { total_cents, discount_cents }: { total_cents: number; discount_cents: number },
  amountCents: number,
): void {
  if (amountCents <= total_cents - discount_cents) return;
  throw invalid(
    'amount_cents',
    'Together with the earlier discounts this is more than the total of the invoice’s lines.',
  );
}

/** @throws Refusal credit_not_available if the payer has less credit than this */
export function requireCredit(availableCents: number, amountCents: number): void {
  if (amountCents > availableCents) throw financesErrors.credit_not_available();
}

/** @throws Refusal nothing_to_refund */
export function requireRefundable(refundableCents: number): void {
  if (refundableCents === 0) throw financesErrors.nothing_to_refund();
}

/** Requires recurring dues that are not paid in full. @throws Refusal invoice_not_regenerable */
export function requireRegenerable(invoice: {
  is_recurring: boolean;
  term: string | null;
  status: InvoiceStatus;
}): void {
  const { is_recurring, term, status } = invoice;
  if (!is_recurring || !term || !REGENERABLE.includes(status)) throw financesErrors.invoice_not_regenerable();
}

/**
 * Refuses while a refund of the invoice is pending, because the refund refers to the invoice; its outcome is known
 * within minutes.
 * @throws Refusal refund_in_progress
 */
export function requireNotBeingRefunded(isBeingRefunded: boolean): void {
  if (isBeingRefunded) throw financesErrors.refund_in_progress();
}
