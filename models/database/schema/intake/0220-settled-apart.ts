import type { Migration } from '../../schemaFiles.js';

/**
 * Counts and withdraws applications without required proof outside of the request, because the duration would reveal
 * whether the address has an account.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE pnm_application_versions
      -- the sender's request that is not carried out yet
      ADD COLUMN wants text CHECK (wants IN ('counted', 'withdrawn', 'erased')),
      ADD COLUMN wanted_at timestamptz,
      ADD CONSTRAINT pnm_application_versions_wanted CHECK ((wants IS NULL) = (wanted_at IS NULL)),
      -- for verified versions everything is done in the request
      ADD CONSTRAINT pnm_application_versions_wants CHECK (wants IS NULL OR NOT asks_proof);
    CREATE INDEX pnm_application_versions_wanting ON pnm_application_versions (organization_id, id) WHERE wants IS NOT NULL;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP INDEX pnm_application_versions_wanting;
    ALTER TABLE pnm_application_versions DROP COLUMN wants, DROP COLUMN wanted_at;
  `);
