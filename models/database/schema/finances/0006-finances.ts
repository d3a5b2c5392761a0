import type { Migration } from '../../schemaFiles.js';

/** Creates dues, invoices, payments, credit, refunds and payment plans. */
export const up: Migration['up'] = ({ runFiles }) =>
  runFiles(__dirname, [
    'dues',
    'invoices',
    'reminders',
    'processors',
    'payments',
    'captures',
    'credit',
    'refunds',
    'disputes',
    'payment-plans',
    'reconciliation',
    'documents',
    'ledger-checks',
  ]);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE
      ledger_checks, good_standing_proofs, drawn_documents, invoice_exports, money_cases, gateway_movements, reconciliations,
      plan_bulk_approval_lines, plan_bulk_approvals, payment_plan_installments, payment_plans, payment_plan_requests,
      payment_dispute_movements, payment_disputes, refunds, refund_requests, terminal_settlements,
      chapter_account_credits, capture_resolutions, processor_captures, chapter_remittance_allocations,
      payment_records, payment_attempts, chapter_remittances, webhook_events, payment_webhook_secrets,
      org_payment_processors, invoice_reminders, payment_reminders, invoice_discounts, invoice_line_items,
      chapter_invoices, dues_run_items, dues_runs, dues_rates, chapter_billing_overrides, org_dues_settings CASCADE;
  `);
