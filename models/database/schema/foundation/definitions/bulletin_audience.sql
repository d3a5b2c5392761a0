-- Returns who belongs to an audience of bulletins now. The query that freezes an audience uses it, and so does the one that
-- checks a recipient just before the mail is sent. Called in FROM, so that Postgres inlines it. A donor is a person with a
-- completed gift: an address that was only typed into a form is not mailed. Erased donors have no address.
CREATE OR REPLACE FUNCTION app.bulletin_audience(p_organization uuid, p_audience text, p_campaign uuid)
  RETURNS TABLE (email text, donor_id uuid, user_id uuid) LANGUAGE sql STABLE AS $$
  SELECT o.email, o.id, NULL::uuid FROM donors o
   WHERE o.organization_id = p_organization AND o.email IS NOT NULL
     AND CASE p_audience
       WHEN 'all_donors' THEN o.gift_count > 0
       WHEN 'recurring_donors' THEN app.is_recurring_donor(o.organization_id, o.id)
       WHEN 'campaign_donors' THEN EXISTS (SELECT FROM donations d
         WHERE d.organization_id = o.organization_id AND d.donor_id = o.id AND d.campaign_id = p_campaign
           AND d.status = 'completed')
       ELSE false END
  UNION ALL
  SELECT u.email, NULL::uuid, u.id FROM users u
   WHERE p_audience = 'organization_members' AND u.email IS NOT NULL AND u.disabled_at IS NULL
     AND EXISTS (SELECT FROM memberships m
                  WHERE m.organization_id = p_organization AND m.user_id = u.id AND app.gives_access(m.status)) $$;
