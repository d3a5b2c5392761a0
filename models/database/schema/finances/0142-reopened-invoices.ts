import type { Migration } from '../../schemaFiles.js';

/**
 * Moves the due date of an invoice that becomes due again after it was paid to a week later, and allows a notice to the
 * payer for each due date.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    -- null: the invoice is due on its first due date
    ALTER TABLE chapter_invoices ADD COLUMN original_due_date date, ADD COLUMN reopened_at timestamptz;
    -- the due date that the notice names, when it is not the first
    ALTER TABLE invoice_notices ADD COLUMN moved_to date, DROP CONSTRAINT invoice_notices_once,
      ADD CONSTRAINT invoice_notices_once UNIQUE NULLS NOT DISTINCT (organization_id, invoice_id, kind, moved_to);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DELETE FROM invoice_notices WHERE moved_to IS NOT NULL;
    ALTER TABLE invoice_notices DROP CONSTRAINT invoice_notices_once, DROP COLUMN moved_to,
      ADD CONSTRAINT invoice_notices_once UNIQUE (organization_id, invoice_id, kind);
    ALTER TABLE chapter_invoices DROP COLUMN original_due_date, DROP COLUMN reopened_at;
  `);
