import type { Migration } from '../../schemaFiles.js';

/** Creates regions, chapters and terms, the people in them, invitations, and the audit log. */
export const up: Migration['up'] = ({ runFiles }) =>
  runFiles(__dirname, ['structure', 'people', 'invitations', 'audit-log']);

export const down: Migration['down'] = ({ run }) =>
  run(`
    ALTER TABLE impersonations DROP CONSTRAINT impersonations_organization_id_membership_id_fkey;
    ALTER TABLE sso_connections DROP CONSTRAINT sso_connections_provision_chapter;
    DROP TABLE audit_log, invitation_mails, invitations, affiliations, regional_admins, organization_admins, memberships,
      terms, chapters, regions;
  `);
