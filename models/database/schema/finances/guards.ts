import { type Guards, immutable, isolate, trackUpdates } from '../../isolation.js';

/**
 * Columns that the runtime role may write when it issues an invoice. It may not write amounts, because triggers derive
 * them from the lines.
 */
const ISSUED = `id, organization_id, chapter_id, term_id, dues_run_id, payer_type, membership_id, payer_name, is_recurring,
  description, currency, issue_date, due_date, replaces, created_at`;
/**
 * Columns that the runtime role may write from the provider's report of a dispute. It may not write withdrawn and
 * reinstated amounts, because triggers derive them from the movements.
 */
const DISPUTED = `organization_id, capture_id, gateway_dispute_id, amount_cents, currency, reason, decision, evidence_due_at,
  read_at, opened_at`;
const SETTLED = `processor_payment_id, settled_at, total_cents, reconciliation_flagged_at, reconciliation_amount_cents,
  reconciliation_reason, reconciliation_note, resolved_at, resolved_by`;
const TRIED = `status, charge_asked_at, intent_id, captured_cents, failure_code, failure_message, finished_at, checkout_session_id,
  checkout_url, checkout_expires_at, checkout_keys, checkout_asked_at, checkout_looked_at, closing_since, closing_reason,
  checkout_closed_at`;

/** Money rows change only in the columns named here, by the transitions that keep_facts allows. */
export const guards: Guards = {
  org_dues_settings: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  chapter_billing_overrides: [isolate(), trackUpdates],
  dues_rates: [isolate(), trackUpdates],
  dues_runs: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  dues_run_items: [isolate('SELECT, INSERT'), immutable],

  // The runtime role may not write amounts and status, because triggers derive them from lines, discounts, payments and
  // credit.
  chapter_invoices: [
    isolate(`SELECT, INSERT (${ISSUED}), UPDATE (overdue_at, voided_at, void_reason, payer_name)`),
    trackUpdates,
  ],
  invoice_line_items: [isolate('SELECT, INSERT'), immutable],
  invoice_discounts: [isolate('SELECT, INSERT, UPDATE (voided_at, voided_by, void_reason)'), trackUpdates],
  invoice_reminders: [isolate('SELECT, INSERT'), immutable],
  invoice_exports: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  payment_reminders: [isolate('SELECT, INSERT'), immutable],

  org_payment_processors: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  payment_webhook_secrets: [isolate('SELECT, INSERT'), immutable],
  webhook_events: [isolate('SELECT, INSERT, UPDATE (outcome, processed_at, deliveries)')],

  chapter_remittances: [isolate(`SELECT, INSERT, UPDATE (${SETTLED})`), trackUpdates],
  // allocations without a payment can be removed to make room for others
  chapter_remittance_allocations: [
    isolate('SELECT, INSERT, UPDATE (payment_record_id, reserved_by_attempt_id), DELETE'),
    trackUpdates,
  ],
  payment_attempts: [isolate(`SELECT, INSERT, UPDATE (${TRIED})`), trackUpdates],
  payment_records: [
    isolate(
      'SELECT, INSERT, UPDATE (status, paid_at, amount_cents, failure_code, refunded_cents, refund_failed_cents)',
    ),
    trackUpdates,
  ],
  processor_captures: [
    isolate(
      'SELECT, INSERT, UPDATE (disposition, refunded_cents, disputed_cents, refund_failed_cents, refunds_read_at)',
    ),
    trackUpdates,
  ],
  capture_resolutions: [
    isolate('SELECT, INSERT, UPDATE (status, gateway_refund_id, failure_code, finished_at)'),
    trackUpdates,
  ],
  refund_requests: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  money_cases: [
    isolate(
      'SELECT, INSERT, UPDATE (amount_cents, recorded_cents, reported_cents, moved_at, status, resolution, note, closed_by, closed_at)',
    ),
    trackUpdates,
  ],
  reconciliations: [isolate('SELECT, INSERT, UPDATE (status, cursor, cases_opened, finished_at)'), trackUpdates],
  gateway_movements: [isolate('SELECT, INSERT'), immutable],
  ledger_checks: [isolate('SELECT, INSERT, UPDATE (status, examined, rules, finished_at), DELETE')],
  payment_plan_requests: [
    isolate(
      'SELECT, INSERT, UPDATE (status, justification, reviewed_by, reviewed_at, review_notes, closed_at, reminded_at, thawed_at)',
    ),
    trackUpdates,
  ],
  plan_bulk_approvals: [isolate('SELECT, INSERT, UPDATE (status, lines_done, ended_at)'), trackUpdates],
  plan_bulk_approval_lines: [isolate('SELECT, INSERT, UPDATE (result)'), trackUpdates],
  payment_plans: [isolate('SELECT, INSERT, UPDATE (status, cancelled_by, cancel_reason, ended_at)'), trackUpdates],
  // The due date and the amount of an installment never change; only its payment is recorded, by hand.
  payment_plan_installments: [
    isolate('SELECT, INSERT, UPDATE (payment_record_id, note, reconciled_by, reconciled_at)'),
    trackUpdates,
  ],
  terminal_settlements: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  good_standing_proofs: [isolate('SELECT, INSERT, UPDATE (revoked_at), DELETE'), trackUpdates],
  refunds: [
    isolate('SELECT, INSERT, UPDATE (status, waiver_id, gateway_refund_id, failure_code, sent_at, finished_at)'),
    trackUpdates,
  ],

  drawn_documents: [isolate('SELECT, INSERT, UPDATE (file_id, drawn_at)')],

  payment_disputes: [
    isolate(`SELECT, INSERT (${DISPUTED}), UPDATE (decision, evidence_due_at, read_at, reminded_for)`),
    trackUpdates,
  ],
  payment_dispute_movements: [isolate('SELECT, INSERT'), immutable],

  // Changes of existing entries are checked by the trigger app.keep_credit_entries.
  chapter_account_credits: [isolate('SELECT, INSERT')],
};
