import type { Migration } from '../../schemaFiles.js';

/** The sweep marks the copies it removes, so that a migration never takes over an object that is being deleted. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE stored_file_copies ADD COLUMN claimed_at timestamptz,
      ADD CONSTRAINT stored_file_copies_claimed CHECK (claimed_at IS NULL OR status = 'removing');
  `);
export const down: Migration['down'] = ({ run }) => run('ALTER TABLE stored_file_copies DROP COLUMN claimed_at;');
