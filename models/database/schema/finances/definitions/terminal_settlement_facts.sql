-- Facts of credit that is left after the final settlement with a former member, for a notification to the
-- organization's admins.
CREATE OR REPLACE FUNCTION app.terminal_settlement_facts(p_organization uuid, p_settlement uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', p_organization, 'payer', u.first_name || ' ' || u.last_name,
           'amount', app.money_fact(app.credit_held(s.chapter_id, s.membership_id),
             coalesce((SELECT o.currency FROM org_dues_settings o WHERE o.organization_id = s.organization_id), 'usd'),
             p_without => 'An amount'))
    FROM terminal_settlements s JOIN memberships m ON m.organization_id = s.organization_id AND m.id = s.membership_id
    JOIN users u ON u.id = m.user_id
   WHERE s.organization_id = p_organization AND s.id = p_settlement AND s.status = 'kept'
     AND EXISTS (SELECT FROM app.active_admins(p_organization) a WHERE a.user_id = p_recipient) $$;
