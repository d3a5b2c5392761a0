-- Facts of an administrator's office for a notification to its holder, if the type's condition holds. The office may be
-- deleted by the time of reading.
CREATE OR REPLACE FUNCTION app.office_facts(p_organization uuid, p_office uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('place', coalesce('the region ' || r.name, o.name), 'role', ' as ' || replace(ra.role, '_', ' '))
    FROM organizations o
    LEFT JOIN organization_admins oa ON oa.organization_id = o.id AND oa.id = p_office AND oa.user_id = p_recipient
    LEFT JOIN regional_admins ra ON ra.organization_id = o.id AND ra.id = p_office AND ra.user_id = p_recipient
    LEFT JOIN regions r ON r.organization_id = o.id AND r.id = ra.region_id
   WHERE o.id = p_organization
     AND CASE
       WHEN p_type IN ('office_given', 'office_changed') THEN coalesce(oa.is_active, ra.is_active, false)
       WHEN p_type = 'office_ended' THEN NOT coalesce(oa.is_active, ra.is_active, false) END $$;
