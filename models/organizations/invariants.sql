-- Invariants of memberships, checked together with those about money (models/finances/invariants.sql).

-- name: the roster of a chapter lists each member once, under the name of the person
-- examines: memberships
SELECT coalesce(m.organization_id, n.organization_id) AS organization_id, coalesce(m.id, n.id) AS membership_id
  FROM memberships m JOIN users u ON u.id = m.user_id
  FULL JOIN roster_names n ON n.organization_id = m.organization_id AND n.id = m.id
 WHERE (m.chapter_id, m.user_id, u.last_name || ' ' || u.first_name) IS DISTINCT FROM (n.chapter_id, n.user_id, n.name);

-- name: each member with access has a handle in the organization
-- examines: memberships
SELECT m.organization_id, m.id AS membership_id
  FROM memberships m
  -- People who have not accepted their invitation are not affiliated.
  JOIN affiliations a ON a.organization_id = m.organization_id AND a.user_id = m.user_id
  LEFT JOIN member_handles h ON h.organization_id = m.organization_id AND h.user_id = m.user_id
 WHERE h.id IS NULL;

-- name: the history of a membership has no gap and no overlap, and ends with its present status and role
-- examines: memberships
SELECT m.organization_id, m.id AS membership_id
  FROM memberships m
  LEFT JOIN LATERAL (
    SELECT count(*) FILTER (WHERE p.valid_to IS DISTINCT FROM p.next_from OR p.ordinal <> p.place) AS breaks,
           max(p.status || ' ' || p.role) FILTER (WHERE p.next_from IS NULL) AS last
      FROM (SELECT one.*, lead(valid_from) OVER numbered AS next_from, row_number() OVER numbered AS place
              FROM membership_periods one WHERE one.organization_id = m.organization_id AND one.membership_id = m.id
            WINDOW numbered AS (ORDER BY ordinal)) p) history ON true
 WHERE history.breaks <> 0 OR history.last IS DISTINCT FROM m.status || ' ' || m.role;

-- name: officers and presidents are exactly the members with a running term
-- examines: memberships, officer_terms
SELECT m.organization_id, m.id AS membership_id
  FROM memberships m
  LEFT JOIN (SELECT organization_id, membership_id, bool_or(position = 'president') AS presides
               FROM officer_terms WHERE ended_on IS NULL GROUP BY organization_id, membership_id) t
    ON t.organization_id = m.organization_id AND t.membership_id = m.id
 WHERE CASE m.role WHEN 'president' THEN t.presides IS NOT TRUE WHEN 'officer' THEN t.presides IS DISTINCT FROM false
       ELSE t.presides IS NOT NULL END;
