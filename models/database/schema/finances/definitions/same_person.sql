-- Whether two memberships of an organization belong to the same person.
CREATE OR REPLACE FUNCTION app.same_person(p_organization uuid, p_one uuid, p_other uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM memberships a JOIN memberships b ON b.organization_id = a.organization_id AND b.user_id = a.user_id
    WHERE a.organization_id = p_organization AND a.id = p_one AND b.id = p_other) $$;
