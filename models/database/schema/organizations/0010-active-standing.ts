import type { Migration } from '../../schemaFiles.js';

/** Ends chapter offices of people who no longer have the required status, and writes the audit log. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    WITH ended AS (
      UPDATE memberships m SET role = CASE m.status WHEN 'alumni' THEN 'alumni' ELSE 'member' END
        FROM memberships was
       WHERE was.organization_id = m.organization_id AND was.id = m.id AND m.role IN ('officer', 'president')
         AND m.status NOT IN ('undergrad', 'associate', 'active_alumni', 'lifetime_alumni')
      RETURNING m.organization_id, m.id, was.role AS before, m.role AS after)
    INSERT INTO audit_log (organization_id, action, subject_type, subject_id, before, after)
    SELECT organization_id, 'membership.updated', 'membership', id,
           jsonb_build_object('role', before), jsonb_build_object('role', after) FROM ended;
  `);

/** Changes nothing: ended offices stay ended, and the trigger is newer than these tables. */
export const down: Migration['down'] = ({ run }) =>
  run('DROP TRIGGER IF EXISTS memberships_office_in_standing ON memberships;');
