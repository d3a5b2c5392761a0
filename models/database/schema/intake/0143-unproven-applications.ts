import type { Migration } from '../../schemaFiles.js';

/** Adds indexes for the deletion of abandoned drafts and applications of all organizations by time. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    DROP INDEX pnm_drafts_expiry;
    CREATE INDEX pnm_drafts_expired ON pnm_drafts (expires_at);
    DROP INDEX pnm_application_versions_unproven;
    CREATE INDEX pnm_application_versions_unproven ON pnm_application_versions (confirm_until) WHERE state = 'pending';
    CREATE INDEX pnm_applications_unconfirmed ON pnm_applications (created_at) WHERE state = 'unconfirmed';
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.forget_unproven_applications(integer);
    DROP INDEX pnm_applications_unconfirmed;
    DROP INDEX pnm_application_versions_unproven;
    CREATE INDEX pnm_application_versions_unproven ON pnm_application_versions (organization_id, confirm_until)
      WHERE state = 'pending';
    DROP INDEX pnm_drafts_expired;
    CREATE INDEX pnm_drafts_expiry ON pnm_drafts (organization_id, expires_at);
  `);
