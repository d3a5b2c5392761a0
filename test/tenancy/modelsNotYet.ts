/** Tables that are to get a model, or a reason to have none: these lists only become shorter. */
export const NOT_YET: readonly string[] = [
  // finances
  'capture_resolutions',
  'chapter_account_credits',
  'chapter_invoices',
  'chapter_remittance_allocations',
  'chapter_remittances',
  'dues_run_items',
  'dues_runs',
  'invoice_discounts',
  'invoice_line_items',
  'invoice_notices',
  'org_payment_processors',
  'payment_attempts',
  'payment_records',
  'processor_captures',
  'webhook_events',
];
