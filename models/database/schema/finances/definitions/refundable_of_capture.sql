-- Refundable amount of a charge over all its payments; zero for flagged money until it is resolved.
CREATE OR REPLACE FUNCTION app.refundable_of_capture(p_organization uuid, p_capture uuid) RETURNS bigint
  LANGUAGE sql STABLE AS $$
  SELECT CASE c.disposition WHEN 'flagged' THEN 0 ELSE c.amount_cents - c.refunded_cents END
         - coalesce((SELECT sum(r.amount_cents)::bigint FROM refunds r
                      WHERE r.organization_id = p_organization AND r.capture_id = p_capture
                        AND r.finished_at IS NULL), 0)
    FROM processor_captures c WHERE c.organization_id = p_organization AND c.id = p_capture $$;
