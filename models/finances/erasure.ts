/** What a person leaves behind in an organization's books (spec: States, Invoice, account deletion of the payer). */
import { currentOrganization, oneRow, rows } from '../database/rows.js';
import type { Erasure } from '../identity/deletion/erasure.js';
import type { Payer } from './credit/payer.js';
import { holdCharges, refundAllCredit } from './credit/refundCredit.js';
import { awaitPages } from './dues-runs/awaitPages.js';
import { financesErrors } from './errors.js';
import { moneyIsOnItsWay } from './moneyIsOnItsWay.js';
import { endPlansOf, tellOfEnded } from './payment-plans/endPlans.js';
import { settleMemberDebts } from './settleMemberDebts.js';
import { voidInvoice } from './voidInvoice.js';

const GONE = 'The account of the payer was deleted.';

/**
 * Pays what the person owes from their credit, voids the invoices on which no money stands, sends the rest of the credit back, and
 * writes the name on what stays. The ledger keeps what has happened.
 * @throws Refusal invoice_being_paid while money of theirs is on its way
 */
async function closeAccounts(userId: string): Promise<{ changed: number; told: Record<string, number> }> {
  const payers = await payersOf(userId);
  const ids = payers.map(({ membershipId }) => membershipId);
  await awaitPages(ids);
  if (await moneyIsOnItsWay(ids)) throw financesErrors.invoice_being_paid();
  for (const payer of payers) await holdCharges(payer);
  const plans = await endPlansOf(ids, GONE);
  const forgotten = await forgetProofs(ids);
  const named_invoices = await nameInvoices(userId);
  const paid_from_credit_cents = await settleMemberDebts(ids);
  const voided_invoices = await voidInvoices(userId);
  // Now that it is known what is left of their invoices.
  await tellOfEnded(plans);
  const returned_credit_cents = await returnCredit(payers, userId);
  return {
    changed: forgotten + named_invoices + voided_invoices + paid_from_credit_cents + returned_credit_cents,
    told: { named_invoices, voided_invoices, paid_from_credit_cents, returned_credit_cents },
  };
}

type Member = Payer & { membershipId: string };

const payersOf = (userId: string): Promise<Member[]> =>
  rows<Member>(
    `SELECT id AS "membershipId", chapter_id AS "chapterId" FROM memberships WHERE organization_id = $1 AND user_id = $2 ORDER BY id`,
    [currentOrganization(), userId],
  );

/** @returns the cents that are on their way back; what came by no charge stays, for an administrator */
async function returnCredit(payers: readonly Member[], requestedBy: string): Promise<number> {
  let cents = 0;
  for (const payer of payers) cents += await refundAllCredit(payer, { reason: GONE, requestedBy });
  return cents;
}

/** What was proven of somebody is gone with them, for whoever has a code. */
async function forgetProofs(membershipIds: readonly string[]): Promise<number> {
  const gone = await rows(
    'DELETE FROM good_standing_proofs WHERE organization_id = $1 AND membership_id = ANY ($2) RETURNING 1',
    [currentOrganization(), membershipIds],
  );
  return gone.length;
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
  for (const { id } of unpaid) await voidInvoice(id, GONE);
  return unpaid.length;
}

const LEDGER = 'The ledger: whose it was, by id of a membership that has ended.';
const ACTED = 'The ledger: who did it, by id.';

export const financesErasure: Erasure = {
  kept: {
    'chapter_invoices.payer_name': 'Written by the erasure itself: a bill says whom it was for.',
    'chapter_invoices.membership_id': LEDGER,
    'invoice_line_items.membership_id': LEDGER,
    'chapter_account_credits.membership_id': LEDGER,
    'capture_resolutions.membership_id': LEDGER,
    'dues_run_items.membership_id': LEDGER,
    'dues_runs.started_by': ACTED,
    'invoice_discounts.granted_by': ACTED,
    'invoice_discounts.voided_by': ACTED,
    'payment_records.recorded_by': ACTED,
    'chapter_remittances.created_by': ACTED,
    'chapter_remittances.resolved_by': ACTED,
    'payment_attempts.requested_by': ACTED,
    'capture_resolutions.requested_by': ACTED,
    'chapter_account_credits.created_by': ACTED,
    'refunds.credit_membership_id': LEDGER,
    'refunds.requested_by': ACTED,
    'refund_requests.requested_by': ACTED,
    'payment_reminders.membership_id': LEDGER,
    'invoice_exports.requested_by': 'Who took invoices along, by id; the file goes within days.',
    'drawn_documents.requested_by': 'Who had a document drawn, by id; it goes within the hour.',
    'terminal_settlements.membership_id': LEDGER,
    'terminal_settlements.requested_by': ACTED,
    'refund_requests.reviewed_by': ACTED,
    'money_cases.closed_by': ACTED,
    'payment_plan_requests.membership_id': LEDGER,
    'payment_plan_requests.requested_by': ACTED,
    'payment_plan_requests.reviewed_by': ACTED,
    'plan_bulk_approvals.requested_by': ACTED,
    'payment_plans.membership_id': LEDGER,
    'payment_plans.cancelled_by': ACTED,
    'payment_plan_installments.reconciled_by': ACTED,
    'good_standing_proofs.membership_id': 'Its row goes with the account: whoever has the code sees nothing any more.',
    'webhook_events.payload': 'What a card processor said of a payment, as evidence of it.',
  },
  emptied: { payment_plan_requests: ['justification'] },
  inOrganization: closeAccounts,
};
