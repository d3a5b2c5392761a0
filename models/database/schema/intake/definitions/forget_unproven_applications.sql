-- Erases, of all organizations, drafts past their time and what was sent with an address that never answered: a batch of each.
-- What somebody is writing to right now waits for the next time. Answers whether there may be more.
CREATE OR REPLACE FUNCTION app.forget_unproven_applications(p_most integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  done integer;
  is_more boolean := false;
BEGIN
  DELETE FROM pnm_drafts WHERE id IN (
    SELECT id FROM pnm_drafts WHERE expires_at <= now() ORDER BY expires_at LIMIT p_most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS done = ROW_COUNT;
  is_more := done = p_most;
  DELETE FROM pnm_application_versions WHERE id IN (
    SELECT id FROM pnm_application_versions WHERE state = 'pending' AND confirm_until <= now()
     ORDER BY confirm_until LIMIT p_most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS done = ROW_COUNT;
  is_more := is_more OR done = p_most;
  -- as long as the link of a mail holds, there may be one
  DELETE FROM pnm_applications WHERE id IN (
    SELECT a.id FROM pnm_applications a
     WHERE a.state = 'unconfirmed' AND a.created_at < now() - interval '48 hours' AND NOT EXISTS (
       SELECT FROM pnm_application_versions v WHERE v.organization_id = a.organization_id AND v.application_id = a.id)
     ORDER BY a.created_at LIMIT p_most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS done = ROW_COUNT;
  RETURN is_more OR done = p_most;
END $$;
REVOKE ALL ON FUNCTION app.forget_unproven_applications(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.forget_unproven_applications(integer) TO :"runtime";
