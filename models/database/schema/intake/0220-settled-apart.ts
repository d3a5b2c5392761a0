import type { Migration } from '../../schemaFiles.js';

/**
 * What was sent while no proof was wanted is counted, and taken back, apart from the request: how long that takes depends on whose
 * address it is.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE pnm_application_versions
      -- what whoever sent it has asked for and is not done yet
      ADD COLUMN wants text CHECK (wants IN ('counted', 'withdrawn', 'erased')),
      ADD COLUMN wanted_at timestamptz,
      ADD CONSTRAINT pnm_application_versions_wanted CHECK ((wants IS NULL) = (wanted_at IS NULL)),
      -- of what was proven all is done in the request
      ADD CONSTRAINT pnm_application_versions_wants CHECK (wants IS NULL OR NOT asks_proof);
    CREATE INDEX pnm_application_versions_wanting ON pnm_application_versions (organization_id, id) WHERE wants IS NOT NULL;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP INDEX pnm_application_versions_wanting;
    ALTER TABLE pnm_application_versions DROP COLUMN wants, DROP COLUMN wanted_at;
  `);
