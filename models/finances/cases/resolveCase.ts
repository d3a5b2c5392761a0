/** Whose the money was that went back of a charge of many. */
import { editRow, holdRow, lockRow, now } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { type FieldErrors, invalid, refuse } from '../../errors.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { lockChargedInvoices } from '../captures/lockChargedInvoices.js';
import { ProcessorCapture } from '../captures/ProcessorCapture.js';
import { type Changed, takeFrom } from '../recordRefund.js';
import { type AllocationInput, sumOf } from '../remittances/allocations.js';
import { lockRemittance } from '../remittances/remittance.js';
import { caseErrors } from './errors.js';
import { note } from './keepUnallocated.js';
import { type CASE_DECISIONS, MoneyCase } from './MoneyCase.js';

/** A payment of the charge that the money may have gone back of. Amounts in cents. */
export interface CaseShare {
  invoice: string;
  description: string;
  payer_name: string;
  amount_cents: number;
  refunded_cents: number;
  /** Neither gone back nor on its way: so much of the case may be of this one. */
  left_cents: number;
}

interface Share extends CaseShare {
  payment_id: string;
  credit_cents: number;
  failed_cents: number;
}

/** What the charge of a case has paid, an invoice each. */
export const sharesOfCase = (caseId: string): Promise<Share[]> =>
  rows<Share>(
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

/** What somebody says of a case. */
export interface CaseDecision {
  resolution: (typeof CASE_DECISIONS)[number];
  /** For `allocated`, and only for that. */
  allocations?: AllocationInput[] | undefined;
  note: string;
}

/**
 * Closes a case as somebody says: by naming the shares of its charge, or because it was put right elsewhere or may stay, which moves
 * no money.
 * @throws Refusal not_found, case_closed, case_closes_itself, validation_error
 */
export async function decideCase(caseId: string, decision: CaseDecision, userId: string): Promise<void> {
  const { resolution, allocations, note: said } = decision;
  const { capture_id } = await loadRow(MoneyCase, caseId);
  if ((capture_id !== null) !== (resolution === 'allocated'))
    throw invalid('resolution', capture_id ? 'Say whose the money was.' : 'There are no shares to name in this case.');
  if (allocations) return allocateCase(caseId, allocations, said, userId);
  const known = await lockRow(MoneyCase, caseId);
  if (known.status === 'closed') throw caseErrors.case_closed();
  if (known.kind === 'remittance_flagged') throw caseErrors.case_closes_itself();
  await close(known, { resolution, note: said, closed_by: userId });
}

async function close(known: MoneyCase, said: Pick<MoneyCase, 'resolution' | 'note' | 'closed_by'>): Promise<void> {
  await editRow(known, { status: 'closed', closed_at: now, ...said });
  await note(known, 'resolved');
  await resolveNotifications('money_case', known.id);
}

/**
 * Says of which invoices the money was that went back: they are due again, as after any refund, and the case is closed. Of ten who
 * decide at once one does.
 * @throws Refusal not_found, case_closed, validation_error with `allocations`
 */
async function allocateCase(
  caseId: string,
  allocations: AllocationInput[],
  said: string,
  userId: string,
): Promise<void> {
  await lockCharge(caseId);
  const known = await lockRow(MoneyCase, caseId);
  if (known.status === 'closed') throw caseErrors.case_closed();
  const shares = divide(await sharesOfCase(caseId), allocations);
  if (sumOf(allocations) !== known.amount_cents)
    throw invalid('allocations', 'The shares must add up to exactly the amount of the case.');
  const byDispute = known.kind === 'dispute_unallocated';
  await takeFrom(shares, [], `case:${caseId}`, { byDispute, leavesSpent: false, said: { reason: said } });
  await close(known, { resolution: 'allocated', note: said, closed_by: userId });
}

/** The remittance, its charge, then the invoices: everybody locks in this order. @throws Refusal not_found */
async function lockCharge(caseId: string): Promise<void> {
  const { capture_id } = await loadRow(MoneyCase, caseId);
  if (!capture_id) return;
  const { remittance_id, intent_id } = await loadRow(ProcessorCapture, capture_id);
  if (remittance_id) await lockRemittance(remittance_id);
  await holdRow(ProcessorCapture, capture_id);
  await lockChargedInvoices(intent_id);
}

function divide(shares: Share[], allocations: AllocationInput[]): Changed[] {
  const errors: FieldErrors = {};
  const named = new Set<string>();
  const taken = allocations.map(({ invoice, amount_cents }, index): Changed => {
    const share = shares.find((one) => one.invoice === invoice);
    if (!share) errors[`allocations.${index}.invoice`] = ['This charge has paid nothing of this invoice.'];
    else if (named.has(invoice)) errors[`allocations.${index}.invoice`] = ['This invoice is named twice.'];
    else if (amount_cents > share.left_cents)
      errors[`allocations.${index}.amount_cents`] = ['This is more than is left of its payment.'];
    named.add(invoice);
    return {
      id: share?.payment_id ?? '',
      invoice_id: invoice,
      delta_cents: amount_cents,
      left_cents: (share?.amount_cents ?? 0) - (share?.refunded_cents ?? 0) - amount_cents,
      credit_cents: share?.credit_cents ?? 0,
      failed_cents: share?.failed_cents ?? 0,
    };
  });
  if (Object.keys(errors).length > 0) throw refuse.validation_error(undefined, errors);
  return taken;
}
