-- Erases expired drafts and unconfirmed applications of all organizations, one batch of each kind. Applications that
-- were sent while the organization required no proof of the address are kept until 30 days after their recruitment
-- period closed, like confirmed ones. Skips rows that another transaction has locked. Returns whether there may be
-- more.
CREATE OR REPLACE FUNCTION app.forget_unproven_applications(p_most integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  done integer;
  is_more boolean := false;
BEGIN
  DELETE FROM pnm_drafts WHERE id IN (
    SELECT d.id FROM pnm_drafts d
     WHERE d.expires_at <= now()
       -- A draft whose version is still pending is kept: it holds the files of that version, and is deleted together
       -- with it.
       AND NOT EXISTS (SELECT FROM pnm_application_versions v
         WHERE v.organization_id = d.organization_id AND v.id = d.version_id AND v.state = 'pending')
     ORDER BY d.expires_at LIMIT p_most FOR UPDATE OF d SKIP LOCKED);
  GET DIAGNOSTICS done = ROW_COUNT;
  is_more := done = p_most;
  DELETE FROM pnm_application_versions WHERE id IN (
    SELECT id FROM pnm_application_versions WHERE state = 'pending' AND asks_proof AND confirm_until <= now()
     ORDER BY confirm_until LIMIT p_most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS done = ROW_COUNT;
  is_more := is_more OR done = p_most;
  DELETE FROM pnm_application_versions WHERE id IN (
    SELECT v.id FROM pnm_application_versions v
      JOIN pnm_applications a ON a.organization_id = v.organization_id AND a.id = v.application_id
      JOIN recruitment_periods r ON r.organization_id = a.organization_id AND r.id = a.recruitment_period_id
     WHERE v.state = 'pending' AND NOT v.asks_proof
       AND (r.status = 'closed' AND r.turned_at < now() - interval '30 days' OR v.created_at < r.links_ended_at)
     ORDER BY v.id LIMIT p_most FOR UPDATE OF v SKIP LOCKED);
  GET DIAGNOSTICS done = ROW_COUNT;
  is_more := is_more OR done = p_most;
  -- The mailed link is valid for 48 hours; until then the applicant may still begin a draft.
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
