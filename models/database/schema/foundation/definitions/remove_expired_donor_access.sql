-- Deletes expired links and sessions of donors of all organizations, one batch of each kind. Skips rows that another
-- transaction has locked. Returns whether there may be more.
CREATE OR REPLACE FUNCTION app.remove_expired_donor_access(p_most integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  done integer;
  is_more boolean;
BEGIN
  DELETE FROM donor_links WHERE id IN (
    SELECT id FROM donor_links WHERE expires_at <= now() ORDER BY expires_at LIMIT p_most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS done = ROW_COUNT;
  is_more := done = p_most;
  DELETE FROM donor_sessions WHERE id IN (
    SELECT id FROM donor_sessions WHERE expires_at <= now() ORDER BY expires_at LIMIT p_most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS done = ROW_COUNT;
  RETURN is_more OR done = p_most;
END $$;
REVOKE ALL ON FUNCTION app.remove_expired_donor_access(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.remove_expired_donor_access(integer) TO :"runtime";
