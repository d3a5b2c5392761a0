/** Decides money cases, and allocates refunds of charges that paid several invoices. */
import { editRow, lockExclusive, lockForEdit, now } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { type FieldErrors, invalid, refuse } from '../../errors.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { lockChargedInvoices } from '../captures/lockChargedInvoices.js';
import { ProcessorCapture } from '../captures/ProcessorCapture.js';
import { type ChangedPayment, deductRefunds } from '../recordRefund.js';
import { type AllocationInput, sumOf } from '../remittances/allocations.js';
import { lockRemittance } from '../remittances/remittance.js';
import { caseErrors } from './errors.js';
import { auditCase } from './syncUnallocatedCase.js';
import { type CASE_DECISIONS, MoneyCase } from './MoneyCase.js';

/** A payment of the charge that the refund may belong to. Amounts in cents. */
export interface CasePayment {
  invoice: string;
  description: string;
  payer_name: string;
  amount_cents: number;
  refunded_cents: number;
  /**
   * Maximum amount of the case that can be allocated to this payment: the part of the payment that is neither refunded
   * nor reserved for a refund.
   */
  left_cents: number;
}

interface CasePaymentRow extends CasePayment {
  payment_id: string;
  credit_cents: number;
  failed_cents: number;
}

/** Reads the payments that the charge of a case made, one per invoice. */
export const readCasePayments = (caseId: string): Promise<CasePaymentRow[]> =>
  rows<CasePaymentRow>(
    `SELECT p.id AS payment_id, i.id AS invoice, i.description, coalesce(i.payer_name, u.first_name || ' ' || u.last_name, h.name) AS payer_name,
            p.amount_cents, p.refunded_cents, app.credit_of_payment(p.organization_id, p.id) AS credit_cents,
            p.refund_failed_cents AS failed_cents, greatest(0, p.amount_cents - p.refunded_cents - coalesce((
              SELECT sum(r.amount_cents) FROM refunds r WHERE r.organization_id = p.organization_id AND r.payment_record_id = p.id
                 AND r.finished_at IS NULL), 0))::bigint AS left_cents
       FROM money_cases k
       JOIN processor_captures c ON c.organization_id = k.organization_id AND c.id = k.capture_id
       JOIN payment_records p ON p.organization_id = c.organization_id AND p.processor_id = c.processor_id AND p.intent_id = c.intent_id
       JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
       JOIN chapters h ON h.organization_id = i.organization_id AND h.id = i.chapter_id
       LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id LEFT JOIN users u ON u.id = m.user_id
      WHERE k.organization_id = $1 AND k.id = $2 AND p.status = 'succeeded' ORDER BY p.id`,
    [currentOrganization(), caseId],
  );

/** An administrator's decision on a case. */
export interface CaseDecision {
  resolution: (typeof CASE_DECISIONS)[number];
  /** Required for `allocated`, and allowed only there. */
  allocations?: AllocationInput[] | undefined;
  note: string;
}

/**
 * Closes a case with a decision. The decision either allocates the refund to payments of the charge, or says that the
 * difference was corrected elsewhere or is accepted, which moves no money.
 * @throws Refusal not_found, case_closed, case_closes_itself, validation_error
 */
export async function decideCase(caseId: string, decision: CaseDecision, userId: string): Promise<void> {
  const { resolution, allocations, note: noteText } = decision;
  const { capture_id } = await loadRow(MoneyCase, caseId);
  if ((capture_id !== null) !== (resolution === 'allocated'))
    throw invalid(
      'resolution',
      capture_id ? 'Allocate the amount to invoices.' : 'This case has no payments to allocate to.',
    );
  if (allocations) return allocateCase(caseId, allocations, noteText, userId);
  const openCase = await lockForEdit(MoneyCase, caseId);
  if (openCase.status === 'closed') throw caseErrors.case_closed();
  if (openCase.kind === 'remittance_flagged') throw caseErrors.case_closes_itself();
  await close(openCase, { resolution, note: noteText, closed_by: userId });
}

async function close(
  openCase: MoneyCase,
  decision: Pick<MoneyCase, 'resolution' | 'note' | 'closed_by'>,
): Promise<void> {
  await editRow(openCase, { status: 'closed', closed_at: now, ...decision });
  await auditCase(openCase, 'resolved');
  await resolveNotifications('money_case', openCase.id);
}

/**
 * Allocates a refund to invoices and closes the case. The invoices become due again, as after any refund. If two
 * decisions are concurrent, the second one is refused.
 * @throws Refusal not_found, case_closed, validation_error with `allocations`
 */
async function allocateCase(
  caseId: string,
  allocations: AllocationInput[],
  noteText: string,
  userId: string,
): Promise<void> {
  await lockCharge(caseId);
  const openCase = await lockForEdit(MoneyCase, caseId);
  if (openCase.status === 'closed') throw caseErrors.case_closed();
  const payments = toChangedPayments(await readCasePayments(caseId), allocations);
  if (sumOf(allocations) !== openCase.amount_cents)
    throw invalid('allocations', 'The allocations must add up to exactly the amount of the case.');
  const byDispute = openCase.kind === 'dispute_unallocated';
  await deductRefunds(payments, [], `case:${caseId}`, {
    byDispute,
    leavesSpent: false,
    auditDetails: { reason: noteText },
  });
  await close(openCase, { resolution: 'allocated', note: noteText, closed_by: userId });
}

/**
 * Locks the remittance of a case, then its charge, then the invoices that the charge paid; all transactions lock in
 * this order.
 * @throws Refusal not_found
 */
async function lockCharge(caseId: string): Promise<void> {
  const { capture_id } = await loadRow(MoneyCase, caseId);
  if (!capture_id) return;
  const { remittance_id, intent_id } = await loadRow(ProcessorCapture, capture_id);
  if (remittance_id) await lockRemittance(remittance_id);
  await lockExclusive(ProcessorCapture, capture_id);
  await lockChargedInvoices(intent_id);
}

function toChangedPayments(payments: CasePaymentRow[], allocations: AllocationInput[]): ChangedPayment[] {
  const errors: FieldErrors = {};
  const seenInvoices = new Set<string>();
  const changed = allocations.map(({ invoice, amount_cents }, index): ChangedPayment => {
    const payment = payments.find((candidate) => candidate.invoice === invoice);
    if (!payment) errors[`allocations.${index}.invoice`] = ['This charge did not pay this invoice.'];
    else if (seenInvoices.has(invoice)) errors[`allocations.${index}.invoice`] = ['This invoice is listed twice.'];
    else if (amount_cents > payment.left_cents)
      errors[`allocations.${index}.amount_cents`] = ['This exceeds the remaining amount of its payment.'];
    seenInvoices.add(invoice);
    return {
      id: payment?.payment_id ?? '',
      invoice_id: invoice,
      delta_cents: amount_cents,
      left_cents: (payment?.amount_cents ?? 0) - (payment?.refunded_cents ?? 0) - amount_cents,
      credit_cents: payment?.credit_cents ?? 0,
      failed_cents: payment?.failed_cents ?? 0,
    };
  });
  if (Object.keys(errors).length > 0) throw refuse.validation_error(undefined, errors);
  return changed;
}
