import type { Migration } from '../../schemaFiles.js';

/** A request for another status keeps the status at its filing, so that a reviewer sees whether it changed since. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE status_change_requests ADD COLUMN from_status text CHECK (from_status IN
      ('pnm','undergrad','associate','alumni','active_alumni','lifetime_alumni','disaffiliated','inactive'));
    UPDATE status_change_requests r SET from_status = coalesce(
      (SELECT p.status FROM membership_periods p
        WHERE p.organization_id = r.organization_id AND p.membership_id = r.membership_id AND p.created_at <= r.created_at
        ORDER BY p.ordinal DESC LIMIT 1),
      (SELECT m.status FROM memberships m WHERE m.organization_id = r.organization_id AND m.id = r.membership_id));
    ALTER TABLE status_change_requests ALTER COLUMN from_status SET NOT NULL;
  `);

export const down: Migration['down'] = ({ run }) => run('ALTER TABLE status_change_requests DROP COLUMN from_status;');
