import type { Migration } from '../../schemaFiles.js';

/** Whether a payer was reminded on a day is asked of each one. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE INDEX payment_reminders_payer ON payment_reminders (organization_id, day, (coalesce(membership_id, chapter_id)));
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP INDEX payment_reminders_payer;
  `);
