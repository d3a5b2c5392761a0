-- Rules about operators' work on processes. See models/finances/invariants.sql.

-- name: the totals of a bulk action on processes add up to its targets, and none is left open when it has ended
-- examines: process_bulk_actions
SELECT a.organization_id, a.id AS bulk_action_id, a.status, a.targets_total, t.targets, t.unclaimed, t.claimed
  FROM process_bulk_actions a CROSS JOIN LATERAL (
    SELECT count(*) AS targets, count(*) FILTER (WHERE outcome IS NULL AND claimed_at IS NULL) AS unclaimed,
           count(*) FILTER (WHERE outcome IS NULL AND claimed_at IS NOT NULL) AS claimed
      FROM process_bulk_action_targets WHERE organization_id = a.organization_id AND bulk_action_id = a.id) t
 WHERE t.targets <> a.targets_total OR (a.status = 'done' AND t.unclaimed > 0) OR (a.ended_at IS NOT NULL AND t.claimed > 0);
