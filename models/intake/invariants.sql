-- Invariants of prospective members; run with the invariants about money (models/finances/invariants.sql).

-- name: every person in the intake is a prospective member, and every prospective member is in the intake
-- examines: pnm_profiles
SELECT m.organization_id, m.id AS membership_id
  FROM memberships m LEFT JOIN pnm_profiles p ON p.organization_id = m.organization_id AND p.membership_id = m.id
 WHERE (m.status = 'pnm') <> coalesce(p.stage IN ('not_started', 'approved', 'in_progress'), false);

-- name: the intake is completed for exactly those people whose crossing was not reverted
-- examines: pnm_profiles
SELECT p.organization_id, p.id AS pnm_id
  FROM pnm_profiles p
 WHERE (p.stage = 'completed') <> EXISTS (SELECT FROM crossings c
   WHERE c.organization_id = p.organization_id AND c.membership_id = p.membership_id AND c.reverted_at IS NULL);

-- name: a name is pending only while its prospective member may get one
-- examines: pnm_name_assignments
SELECT n.organization_id, n.id AS name_assignment_id
  FROM pnm_name_assignments n JOIN pnm_profiles p ON p.organization_id = n.organization_id AND p.id = n.profile_id
 WHERE n.status = 'proposed' AND p.stage NOT IN ('approved', 'in_progress', 'completed');

-- name: a settled closed recruitment period has no pending prospective members
-- examines: recruitment_periods
SELECT p.organization_id, p.id AS pnm_id
  FROM pnm_profiles p
  JOIN recruitment_periods r ON r.organization_id = p.organization_id AND r.id = p.recruitment_period_id
 WHERE r.status = 'closed' AND r.settled_turn = r.turn AND p.stage IN ('not_started', 'approved', 'in_progress')
   -- Not counted: people who came back to the intake when their crossing was reverted.
   AND NOT EXISTS (SELECT FROM crossings c
     WHERE c.organization_id = p.organization_id AND c.profile_id = p.id AND c.reverted_at IS NOT NULL);

-- name: no application or letter refers to a file that is being removed
-- examines: stored_files
SELECT f.organization_id, f.id AS file_id
  FROM stored_files f
 WHERE f.status = 'removing' AND (
   EXISTS (SELECT FROM pnm_attachments a WHERE a.organization_id = f.organization_id AND a.file_id = f.id)
   OR EXISTS (SELECT FROM pnm_reference_letters l WHERE l.organization_id = f.organization_id AND l.file_id = f.id));
