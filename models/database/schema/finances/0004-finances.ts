import type { Migration } from '../../schemaFiles.js';

/** Creates the finance tables: dues, invoices, payments and credit. */
export const up: Migration['up'] = ({ runFiles }) =>
  runFiles(__dirname, ['dues', 'invoices', 'processors', 'payments', 'captures', 'credit']);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.credit_effect(chapter_account_credits);
    DROP TABLE chapter_account_credits, capture_resolutions, processor_captures, chapter_remittance_allocations,
      payment_records, payment_attempts, chapter_remittances, webhook_events, org_payment_processors, invoice_notices,
      invoice_discounts, invoice_line_items, chapter_invoices, dues_run_items, dues_runs, dues_rates,
      chapter_billing_overrides, org_dues_settings;
  `);
