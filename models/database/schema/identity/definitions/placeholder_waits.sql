-- Reports whether an invitation (also a withdrawn one) or an admin office still waits for the person behind this
-- placeholder.
CREATE OR REPLACE FUNCTION app.placeholder_waits(p_user uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM memberships m JOIN invitations i
                   ON i.organization_id = m.organization_id AND i.membership_id = m.id
                  WHERE m.user_id = p_user AND i.state IN ('open', 'withdrawn'))
      OR EXISTS (SELECT FROM organization_admins WHERE user_id = p_user)
      OR EXISTS (SELECT FROM regional_admins WHERE user_id = p_user) $$;
