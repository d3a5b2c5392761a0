-- What must be true of who is on the way to becoming a member; run with the rules about money (models/finances/invariants.sql).

-- name: whoever is in the intake is a prospective member, and every prospective member is in the intake
-- examines: pnm_profiles
SELECT m.organization_id, m.id AS membership_id
  FROM memberships m LEFT JOIN pnm_profiles p ON p.organization_id = m.organization_id AND p.membership_id = m.id
 WHERE (m.status = 'pnm') <> coalesce(p.stage IN ('not_started', 'approved', 'in_progress'), false);

-- name: whoever has crossed and was not taken back has completed the intake, and nobody else has
-- examines: pnm_profiles
SELECT p.organization_id, p.id AS pnm_id
  FROM pnm_profiles p
 WHERE (p.stage = 'completed') <> EXISTS (SELECT FROM crossings c
   WHERE c.organization_id = p.organization_id AND c.membership_id = p.membership_id AND c.reverted_at IS NULL);

-- name: a name waits for a decision only while its person may get one
-- examines: pnm_name_assignments
SELECT n.organization_id, n.id AS name_assignment_id
  FROM pnm_name_assignments n JOIN pnm_profiles p ON p.organization_id = n.organization_id AND p.id = n.profile_id
 WHERE n.status = 'proposed' AND p.stage NOT IN ('approved', 'in_progress', 'completed');

-- name: nobody waits in a recruitment period that was closed and whose people have followed
-- examines: recruitment_periods
SELECT p.organization_id, p.id AS pnm_id
  FROM pnm_profiles p
  JOIN recruitment_periods r ON r.organization_id = p.organization_id AND r.id = p.recruitment_period_id
 WHERE r.status = 'closed' AND r.settled_turn = r.turn AND p.stage IN ('not_started', 'approved', 'in_progress')
   -- but for who came back by a crossing that was taken back
   AND NOT EXISTS (SELECT FROM crossings c
     WHERE c.organization_id = p.organization_id AND c.profile_id = p.id AND c.reverted_at IS NOT NULL);

-- name: no application or letter goes with a file that was given up or refused
-- examines: stored_files
SELECT f.organization_id, f.id AS file_id
  FROM stored_files f
 WHERE f.status = 'removing' AND (
   EXISTS (SELECT FROM pnm_attachments a WHERE a.organization_id = f.organization_id AND a.file_id = f.id)
   OR EXISTS (SELECT FROM pnm_reference_letters l WHERE l.organization_id = f.organization_id AND l.file_id = f.id));
