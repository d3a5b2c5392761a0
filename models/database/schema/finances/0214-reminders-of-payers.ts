import type { Migration } from '../../schemaFiles.js';

/** Adds an index that finds the reminders of one payer on a day. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE INDEX payment_reminders_payer ON payment_reminders (organization_id, day, (coalesce(membership_id, chapter_id)));
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP INDEX payment_reminders_payer;
  `);
