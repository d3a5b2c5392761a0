-- Person who scheduled a change that was not applied; also the organization's admins if that person has lost the right
-- to make such changes.
CREATE OR REPLACE FUNCTION app.scheduled_change_recipients(p_organization uuid, p_change uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT r.requested_by FROM membership_scheduled_changes r WHERE r.organization_id = p_organization AND r.id = p_change
  UNION
  SELECT a.user_id FROM membership_scheduled_changes r CROSS JOIN LATERAL app.appointed_admins(r.organization_id) a
   WHERE r.organization_id = p_organization AND r.id = p_change AND r.refusal = 'forbidden' $$;
