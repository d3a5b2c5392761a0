import type { Migration } from '../../schemaFiles.js';

/** Whether a payer was reminded on a day is asked of each one. Where reminders are yet to come, they bring this index along. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    DO $$ BEGIN
      IF to_regclass('payment_reminders') IS NOT NULL THEN
        CREATE INDEX IF NOT EXISTS payment_reminders_payer
          ON payment_reminders (organization_id, day, (coalesce(membership_id, chapter_id)));
      END IF;
    END $$;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP INDEX IF EXISTS payment_reminders_payer;
  `);
