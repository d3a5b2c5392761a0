import type { Migration } from '../../schemaFiles.js';

/** Adds indexes for the count of pending requests, which runs each minute: definitions/waiting_approvals.sql. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE INDEX member_add_requests_waiting ON member_add_requests (organization_id, chapter_id)
      WHERE status IN ('pending_regional','pending_organization');
    CREATE INDEX account_requests_waiting ON account_requests (organization_id, chapter_id) WHERE status = 'pending';
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP VIEW IF EXISTS waiting_approvals;
    DROP INDEX account_requests_waiting, member_add_requests_waiting;
  `);
