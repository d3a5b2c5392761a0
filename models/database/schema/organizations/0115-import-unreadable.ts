import type { Migration } from '../../schemaFiles.js';

/** Records why a file could not be read; unknown for earlier imports. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE bulk_imports ADD COLUMN failure_reason text CHECK (failure_reason ~ '^[a-z_]{1,40}$'),
      ADD CONSTRAINT bulk_imports_unreadable CHECK (failure_reason IS NULL OR failure IS NOT DISTINCT FROM 'file_not_readable');
  `);

export const down: Migration['down'] = ({ run }) => run('ALTER TABLE bulk_imports DROP COLUMN failure_reason;');
