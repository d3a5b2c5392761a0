import type { Migration } from '../../schemaFiles.js';

/** Lets the sweep visit confirmed imports once too: for rows that created no member. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE bulk_imports DROP CONSTRAINT bulk_imports_erased,
      ADD CONSTRAINT bulk_imports_erased CHECK (lines_erased_at IS NULL OR outcome IS NOT NULL);
    DROP INDEX bulk_imports_unconfirmed;
    CREATE INDEX bulk_imports_untouched ON bulk_imports (updated_at) WHERE step IS NULL AND lines_erased_at IS NULL;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP INDEX bulk_imports_untouched;
    CREATE INDEX bulk_imports_unconfirmed ON bulk_imports (updated_at)
      WHERE on_existing IS NULL AND step IS NULL AND lines_erased_at IS NULL;
    UPDATE bulk_imports SET lines_erased_at = NULL WHERE on_existing IS NOT NULL;
    ALTER TABLE bulk_imports DROP CONSTRAINT bulk_imports_erased,
      ADD CONSTRAINT bulk_imports_erased CHECK (lines_erased_at IS NULL OR (outcome IS NOT NULL AND on_existing IS NULL));
  `);
