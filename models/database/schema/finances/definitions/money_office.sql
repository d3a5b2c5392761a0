-- Office through which people see facts of a processor: the organization, or the foundation for its account.
CREATE OR REPLACE FUNCTION app.money_office(p_organization uuid, p_purpose text) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT CASE p_purpose WHEN 'dues' THEN p_organization
    ELSE (SELECT f.id FROM foundation_configs f WHERE f.organization_id = p_organization) END $$;
