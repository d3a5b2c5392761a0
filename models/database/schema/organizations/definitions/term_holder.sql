-- Holder of an officer's term.
CREATE OR REPLACE FUNCTION app.term_holder(p_organization uuid, p_term uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT m.user_id FROM officer_terms t JOIN memberships m ON m.organization_id = t.organization_id AND m.id = t.membership_id
   WHERE t.organization_id = p_organization AND t.id = p_term $$;
