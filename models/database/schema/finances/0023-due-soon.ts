import type { Migration } from '../../schemaFiles.js';

/** Adds reminders some days before an invoice is due, one per invoice. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE org_dues_settings ADD COLUMN due_soon_days integer NOT NULL DEFAULT 7
      CONSTRAINT org_dues_settings_due_soon_days_check CHECK (due_soon_days BETWEEN 0 AND 60);
    ALTER TABLE invoice_notices DROP CONSTRAINT invoice_notices_kind_check,
      ADD CONSTRAINT invoice_notices_kind_check CHECK (kind IN ('overdue', 'due_soon'));
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DELETE FROM invoice_notices WHERE kind = 'due_soon';
    ALTER TABLE invoice_notices DROP CONSTRAINT invoice_notices_kind_check,
      ADD CONSTRAINT invoice_notices_kind_check CHECK (kind IN ('overdue'));
    ALTER TABLE org_dues_settings DROP COLUMN due_soon_days;
  `);
