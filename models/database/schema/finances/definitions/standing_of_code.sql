-- Finds a proof of good standing by its code, before a tenant is known. Returns no row for unknown, expired and
-- withdrawn codes, so that a reader cannot distinguish them.
CREATE OR REPLACE FUNCTION app.standing_of_code(p_code_hash text)
  RETURNS TABLE (name text, chapter_name text, organization_name text, was_good_on date, good_until date)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.first_name || ' ' || u.last_name, c.name, o.name, p.was_good_on, p.good_until
    FROM good_standing_proofs p
    JOIN organizations o ON o.id = p.organization_id
    JOIN chapters c ON c.organization_id = p.organization_id AND c.id = p.chapter_id
    JOIN memberships m ON m.organization_id = p.organization_id AND m.id = p.membership_id
    JOIN users u ON u.id = m.user_id
   WHERE p.code_hash = p_code_hash AND p.revoked_at IS NULL AND app.local_day(o.timezone) <= p.good_until AND o.is_active $$;
REVOKE ALL ON FUNCTION app.standing_of_code(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.standing_of_code(text) TO :"runtime";
