import type { Migration } from '../../schemaFiles.js';

/** Adds changes of people to import rows: previous values, and the fields that stayed with the reason. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE bulk_import_rows
      -- field: a code, why it stays unchanged
      ADD COLUMN fields_left jsonb NOT NULL DEFAULT '{}',
      -- previous values of changed fields of the person
      ADD COLUMN person_before jsonb;
  `);

export const down: Migration['down'] = ({ run }) =>
  run('ALTER TABLE bulk_import_rows DROP COLUMN fields_left, DROP COLUMN person_before;');
