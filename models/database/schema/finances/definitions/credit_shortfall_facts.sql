-- Facts of a credit shortfall for a notification to the organization's admins.
CREATE OR REPLACE FUNCTION app.credit_shortfall_facts(p_organization uuid, p_entry uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', p_organization, 'payer', coalesce(u.first_name || ' ' || u.last_name, ch.name),
           'amount', app.money_fact(c.amount_cents,
             coalesce((SELECT o.currency FROM org_dues_settings o WHERE o.organization_id = c.organization_id), 'usd'),
             p_without => 'an amount'))
    FROM chapter_account_credits c JOIN chapters ch ON ch.organization_id = c.organization_id AND ch.id = c.chapter_id
    LEFT JOIN memberships m ON m.organization_id = c.organization_id AND m.id = c.membership_id
    LEFT JOIN users u ON u.id = m.user_id
   WHERE c.organization_id = p_organization AND c.id = p_entry AND c.kind = 'shortfall'
     AND EXISTS (SELECT FROM app.active_admins(p_organization) a WHERE a.user_id = p_recipient) $$;
