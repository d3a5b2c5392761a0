/** SQL to use instead of `audit_log`: its entries with their separately stored values, as administrators read them. */
export const AUDIT_LOG = `(
  SELECT l.id, l.organization_id, l.actor_user_id, l.action, l.subject_type, l.subject_id, l.request_id, l.created_at,
         coalesce(l.ip_address, v.ip_address) AS ip_address, l.before || coalesce(v.before, '{}') AS before,
         l.after || coalesce(v.after, '{}') AS after
    FROM audit_log l CROSS JOIN LATERAL (
      SELECT max(ip_address) AS ip_address, (array_agg(before) FILTER (WHERE before IS NOT NULL))[1] AS before,
             (array_agg(after) FILTER (WHERE after IS NOT NULL))[1] AS after
        FROM audit_values WHERE entry_id = l.id) v) AS entries`;
