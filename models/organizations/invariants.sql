-- What must be true of who belongs where; run with the rules about money (models/finances/invariants.sql).

-- name: a roster has each member of its chapter once, by the name of the person
-- examines: memberships
SELECT coalesce(m.organization_id, n.organization_id) AS organization_id, coalesce(m.id, n.id) AS membership_id
  FROM memberships m JOIN users u ON u.id = m.user_id
  FULL JOIN roster_names n ON n.organization_id = m.organization_id AND n.id = m.id
 WHERE (m.chapter_id, m.user_id, u.last_name || ' ' || u.first_name) IS DISTINCT FROM (n.chapter_id, n.user_id, n.name);
