import type { Migration } from '../../schemaFiles.js';

/**
 * Adds the outcome of an invoice notice whose notification was written. A notice is a claim that one notification is
 * due.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE invoice_notices DROP CONSTRAINT invoice_notices_outcome_check,
      ADD CONSTRAINT invoice_notices_outcome_check CHECK (outcome IN ('sent', 'failed', 'skipped', 'unknown', 'told'));
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    UPDATE invoice_notices SET outcome = 'skipped' WHERE outcome = 'told';
    ALTER TABLE invoice_notices DROP CONSTRAINT invoice_notices_outcome_check,
      ADD CONSTRAINT invoice_notices_outcome_check CHECK (outcome IN ('sent', 'failed', 'skipped', 'unknown'));
  `);
