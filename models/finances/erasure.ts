/**
 * Closes the accounts that a person has as a payer in an organization's books, when the person's account on the
 * platform is deleted (spec: States, Invoice, account deletion of the payer).
 */
import { currentOrganization, oneRow, rows } from '../database/rows.js';
import type { Erasure } from '../identity/deletion/erasure.js';
import type { Payer } from './credit/payer.js';
import { lockCharges, refundAllCredit } from './credit/refundCredit.js';
import { awaitRunningBatches } from './dues-runs/awaitRunningBatches.js';
import { financesErrors } from './errors.js';
import { hasPendingPayments } from './hasPendingPayments.js';
import { endMemberPlans, notifyPlansEnded } from './payment-plans/endPlans.js';
import { settleMemberDebts } from './settleMemberDebts.js';
import { voidInvoice } from './voidInvoice.js';

const ACCOUNT_DELETED = 'The account of the payer was deleted.';

/**
 * Pays the person's debts from their credit, voids invoices without payments, refunds the rest of the credit, and
 * stores the person's name on the invoices that remain. The ledger keeps its entries.
 * @throws Refusal invoice_being_paid while a payment or refund of the person is pending
 */
async function closeAccounts(userId: string): Promise<{ changed: number; auditDetails: Record<string, number> }> {
  const payers = await payersOf(userId);
  const ids = payers.map(({ membershipId }) => membershipId);
  await awaitRunningBatches(ids);
  if (await hasPendingPayments(ids)) throw financesErrors.invoice_being_paid();
  for (const payer of payers) await lockCharges(payer);
  const plans = await endMemberPlans(ids, ACCOUNT_DELETED);
  const deletedProofs = await deleteProofs(ids);
  const named_invoices = await nameInvoices(userId);
  const paid_from_credit_cents = await settleMemberDebts(ids);
  const voided_invoices = await voidInvoices(userId);
  // Notify about the ended plans only after the invoices are settled or voided, so that the notification states the
  // right balance.
  await notifyPlansEnded(plans);
  const returned_credit_cents = await returnCredit(payers, userId);
  return {
    changed: deletedProofs + named_invoices + voided_invoices + paid_from_credit_cents + returned_credit_cents,
    auditDetails: { named_invoices, voided_invoices, paid_from_credit_cents, returned_credit_cents },
  };
}

type Member = Payer & { membershipId: string };

const payersOf = (userId: string): Promise<Member[]> =>
  rows<Member>(
    `SELECT id AS "membershipId", chapter_id AS "chapterId" FROM memberships WHERE organization_id = $1 AND user_id = $2 ORDER BY id`,
    [currentOrganization(), userId],
  );

/**
 * Refunds the remaining credit of these payers to its charges. Credit that came from no charge stays for an
 * administrator to refund.
 * @returns the cents in pending refunds
 */
async function returnCredit(payers: readonly Member[], requestedBy: string): Promise<number> {
  let cents = 0;
  for (const payer of payers) cents += await refundAllCredit(payer, { reason: ACCOUNT_DELETED, requestedBy });
  return cents;
}

/** Deletes the proofs of good standing of a person, so that their codes stop working. */
async function deleteProofs(membershipIds: readonly string[]): Promise<number> {
  const deleted = await rows(
    'DELETE FROM good_standing_proofs WHERE organization_id = $1 AND membership_id = ANY ($2) RETURNING 1',
    [currentOrganization(), membershipIds],
  );
  return deleted.length;
}

async function nameInvoices(userId: string): Promise<number> {
  const { count } = await oneRow<{ count: number }>(
    `WITH named AS (
       UPDATE chapter_invoices i SET payer_name = left(u.first_name || ' ' || u.last_name, 200)
         FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = $1 AND m.user_id = $2 AND i.organization_id = $1 AND i.membership_id = m.id
          AND i.payer_name IS NULL RETURNING 1)
     SELECT count(*)::int AS count FROM named`,
    [currentOrganization(), userId],
  );
  return count;
}

async function voidInvoices(userId: string): Promise<number> {
  const unpaid = await rows<{ id: string }>(
    `SELECT i.id FROM chapter_invoices i JOIN memberships m ON m.organization_id = $1 AND m.id = i.membership_id
      WHERE i.organization_id = $1 AND m.user_id = $2 AND i.status IN ('open', 'overdue')
        AND i.paid_cents = i.overpaid_cents AND i.credit_cents = 0
      ORDER BY i.id FOR UPDATE OF i`,
    [currentOrganization(), userId],
  );
  for (const { id } of unpaid) await voidInvoice(id, ACCOUNT_DELETED);
  return unpaid.length;
}

const LEDGER_REASON = 'The ledger: the owner, by id of a membership that has ended.';
const ACTOR_REASON = 'The ledger: the person who acted, by id.';

export const financesErasure: Erasure = {
  retainedColumns: {
    'chapter_invoices.payer_name': 'Written by the erasure itself: an invoice names its payer.',
    'chapter_invoices.membership_id': LEDGER_REASON,
    'invoice_line_items.membership_id': LEDGER_REASON,
    'chapter_account_credits.membership_id': LEDGER_REASON,
    'capture_resolutions.membership_id': LEDGER_REASON,
    'dues_run_items.membership_id': LEDGER_REASON,
    'dues_runs.started_by': ACTOR_REASON,
    'invoice_discounts.granted_by': ACTOR_REASON,
    'invoice_discounts.voided_by': ACTOR_REASON,
    'payment_records.recorded_by': ACTOR_REASON,
    'chapter_remittances.created_by': ACTOR_REASON,
    'chapter_remittances.resolved_by': ACTOR_REASON,
    'payment_attempts.requested_by': ACTOR_REASON,
    'capture_resolutions.requested_by': ACTOR_REASON,
    'chapter_account_credits.created_by': ACTOR_REASON,
    'refunds.credit_membership_id': LEDGER_REASON,
    'refunds.requested_by': ACTOR_REASON,
    'refund_requests.requested_by': ACTOR_REASON,
    'payment_reminders.membership_id': LEDGER_REASON,
    'invoice_exports.requested_by': 'The person who exported invoices, by id; the file is deleted within days.',
    'drawn_documents.requested_by': 'The person who requested a document, by id; it is deleted within the hour.',
    'terminal_settlements.membership_id': LEDGER_REASON,
    'terminal_settlements.requested_by': ACTOR_REASON,
    'refund_requests.reviewed_by': ACTOR_REASON,
    'money_cases.closed_by': ACTOR_REASON,
    'ledger_checks.requested_by': ACTOR_REASON,
    'payment_plan_requests.membership_id': LEDGER_REASON,
    'payment_plan_requests.requested_by': ACTOR_REASON,
    'payment_plan_requests.reviewed_by': ACTOR_REASON,
    'plan_bulk_approvals.requested_by': ACTOR_REASON,
    'payment_plans.membership_id': LEDGER_REASON,
    'payment_plans.cancelled_by': ACTOR_REASON,
    'payment_plan_installments.reconciled_by': ACTOR_REASON,
    'good_standing_proofs.membership_id': 'The row is deleted with the account, so that the code stops working.',
    'webhook_events.payload': 'The message of a card processor about a payment, kept as evidence.',
  },
  erasedColumns: { payment_plan_requests: ['justification'] },
  inOrganization: closeAccounts,
};
