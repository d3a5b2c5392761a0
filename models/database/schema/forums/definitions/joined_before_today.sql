-- Whether a user joined an organization before today, as a member or by an office.
CREATE OR REPLACE FUNCTION app.joined_before_today(p_organization uuid, p_user uuid) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM memberships m
      WHERE m.organization_id = p_organization AND m.user_id = p_user AND app.gives_access(m.status)
        AND coalesce(m.joined_date, m.created_at::date) < current_date)
    OR EXISTS (SELECT FROM affiliations a
      WHERE a.organization_id = p_organization AND a.user_id = p_user AND a.kind <> 'member'
        AND a.created_at::date < current_date) $$;
