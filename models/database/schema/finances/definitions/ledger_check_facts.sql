-- Facts of a failed nightly ledger check for a notification, for active platform admins.
CREATE OR REPLACE FUNCTION app.ledger_check_facts(p_organization uuid, p_check uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('organization', o.name, 'organization_id', o.id)
    FROM ledger_checks c JOIN organizations o ON o.id = c.organization_id
   WHERE c.organization_id = p_organization AND c.id = p_check AND c.status = 'failed'
     AND EXISTS (SELECT FROM users u WHERE u.id = p_recipient AND u.is_platform_admin AND u.disabled_at IS NULL) $$;
