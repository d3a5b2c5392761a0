import type { Migration } from '../../schemaFiles.js';

/** What lines of imports say of people beside their memberships: what that was before, and which fields stayed, by why. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE bulk_import_rows
      -- field: a code, why it stays as it is
      ADD COLUMN fields_left jsonb NOT NULL DEFAULT '{}',
      -- what the person's fields were before, of those that were changed
      ADD COLUMN person_before jsonb;
  `);

export const down: Migration['down'] = ({ run }) =>
  run('ALTER TABLE bulk_import_rows DROP COLUMN fields_left, DROP COLUMN person_before;');
