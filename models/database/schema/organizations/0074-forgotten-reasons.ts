import type { Migration } from '../../schemaFiles.js';

/**
 * Erases reasons of status changes with the person (definitions/forget_reasons.sql), and now those of people who are
 * already erased.
 */
export const up: Migration['up'] = ({ run }) =>
  run(String.raw`
    UPDATE membership_periods p SET reason = NULL FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = p.organization_id AND m.id = p.membership_id AND p.reason IS NOT NULL
       AND u.email LIKE 'erased-%@erased.invalid';
    UPDATE membership_scheduled_changes s SET reason = NULL FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = s.organization_id AND m.id = s.membership_id AND s.reason IS NOT NULL
       AND u.email LIKE 'erased-%@erased.invalid';
    -- guards follow in the same transaction: a table with pending deferred checks cannot be altered
    SET CONSTRAINTS ALL IMMEDIATE;
  `);

export const down: Migration['down'] = ({ run }) => run('DROP FUNCTION IF EXISTS app.forget_reasons(uuid);');
