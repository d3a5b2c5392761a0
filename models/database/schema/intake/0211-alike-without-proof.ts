import type { Migration } from '../../schemaFiles.js';

/**
 * Keeps applications without required proof for the same time whether they count or wait, so that their end does not
 * reveal whether the address has an account.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    -- whether the sender was told that the mailbox must confirm
    ALTER TABLE pnm_application_versions ADD COLUMN asks_proof boolean NOT NULL DEFAULT true;
    UPDATE pnm_application_versions v SET asks_proof = false FROM pnm_application_configs f
     WHERE f.organization_id = v.organization_id AND NOT f.verify_email AND v.confirmed_at IS NULL;
    DROP INDEX pnm_application_versions_unproven;
    CREATE INDEX pnm_application_versions_unproven ON pnm_application_versions (confirm_until)
      WHERE state = 'pending' AND asks_proof;
    CREATE INDEX pnm_application_versions_unasked ON pnm_application_versions (id)
      WHERE state = 'pending' AND NOT asks_proof;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP INDEX pnm_application_versions_unasked;
    DROP INDEX pnm_application_versions_unproven;
    CREATE INDEX pnm_application_versions_unproven ON pnm_application_versions (confirm_until) WHERE state = 'pending';
    DROP FUNCTION IF EXISTS app.forget_unproven_applications(integer);
    ALTER TABLE pnm_application_versions DROP COLUMN asks_proof;
  `);
