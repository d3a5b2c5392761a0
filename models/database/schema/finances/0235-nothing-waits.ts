import type { Migration } from '../../schemaFiles.js';

/** Of a flagged charge all may be gone before the provider has said what became of our own giving back. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE chapter_remittances DROP CONSTRAINT chapter_remittances_reconciliation_amount_cents_check,
      ADD CONSTRAINT chapter_remittances_reconciliation_amount_cents_check CHECK (reconciliation_amount_cents >= 0) NOT VALID;
    ALTER TABLE chapter_remittances VALIDATE CONSTRAINT chapter_remittances_reconciliation_amount_cents_check;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    ALTER TABLE chapter_remittances DROP CONSTRAINT chapter_remittances_reconciliation_amount_cents_check,
      ADD CONSTRAINT chapter_remittances_reconciliation_amount_cents_check CHECK (reconciliation_amount_cents > 0) NOT VALID;
  `);
