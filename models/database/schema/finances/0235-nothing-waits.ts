import type { Migration } from '../../schemaFiles.js';

/**
 * Allows the reconciliation amount of a remittance to be zero: all of a flagged charge may be refunded before the
 * provider reports the outcome of the platform's own refund.
 */
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
