-- Office through which people may see facts of a payment processor: the organization for its dues account, or the
-- foundation for its gift account.
CREATE OR REPLACE FUNCTION app.money_office(p_organization uuid, p_purpose text) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT CASE p_purpose WHEN 'dues' THEN p_organization
    ELSE (SELECT f.id FROM foundation_configs f WHERE f.organization_id = p_organization) END $$;
