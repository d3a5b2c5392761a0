-- Number of consents due in the person's other organizations.
CREATE OR REPLACE FUNCTION app.consents_due_elsewhere(p_user uuid, p_but uuid) RETURNS TABLE (organization_id uuid, due integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id, w.due FROM affiliations f JOIN organizations o ON o.id = f.organization_id AND o.is_active
    CROSS JOIN LATERAL (SELECT app.consents_due(o.id, p_user) AS due) w
   WHERE f.user_id = p_user AND o.id <> p_but AND w.due > 0 $$;
REVOKE ALL ON FUNCTION app.consents_due_elsewhere(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.consents_due_elsewhere(uuid, uuid) TO :"runtime";
