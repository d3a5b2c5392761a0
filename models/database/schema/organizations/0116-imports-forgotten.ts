import type { Migration } from '../../schemaFiles.js';

/** Records when the rows of an unconfirmed import were erased, and adds the index that the sweep uses. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE bulk_imports ADD COLUMN lines_erased_at timestamptz,
      ADD CONSTRAINT bulk_imports_erased CHECK (lines_erased_at IS NULL OR (outcome IS NOT NULL AND on_existing IS NULL));
    CREATE INDEX bulk_imports_unconfirmed ON bulk_imports (updated_at)
      WHERE on_existing IS NULL AND step IS NULL AND lines_erased_at IS NULL;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.forget_import();
    ALTER TABLE bulk_imports DROP COLUMN lines_erased_at;
  `);
