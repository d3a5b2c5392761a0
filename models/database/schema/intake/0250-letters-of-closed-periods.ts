import type { Migration } from '../../schemaFiles.js';

/** Marks letters that ended with their period, so that a reopening makes them pending again. */
export const up: Migration['up'] = ({ run }) =>
  run('ALTER TABLE pnm_reference_letters ADD COLUMN ended_with_period boolean NOT NULL DEFAULT false;');

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TRIGGER IF EXISTS pnm_profiles_undecided ON pnm_profiles;
    DROP FUNCTION IF EXISTS app.reopen_reference_letters();
    ALTER TABLE pnm_reference_letters DROP COLUMN ended_with_period;
  `);
