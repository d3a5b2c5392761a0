-- Person who planned a term that did not begin. If the reason is that this person has lost the right to plan it, also
-- the organization's admins.
CREATE OR REPLACE FUNCTION app.planned_term_recipients(p_organization uuid, p_term uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT r.requested_by FROM planned_terms r WHERE r.organization_id = p_organization AND r.id = p_term
  UNION
  SELECT a.user_id FROM planned_terms r CROSS JOIN LATERAL app.appointed_admins(r.organization_id) a
   WHERE r.organization_id = p_organization AND r.id = p_term AND r.refusal = 'forbidden' $$;
