-- Payer of an invoice: the member, or, if p_membership is null, the chapter's treasurer, else its president, else an
-- admin of the organization. Officers and admins who have not accepted yet or whose account is disabled are skipped,
-- because they cannot pay.
CREATE OR REPLACE FUNCTION app.payer_of(p_organization uuid, p_chapter uuid, p_membership uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT who.user_id FROM (
    SELECT m.user_id, 0 AS rank, m.id FROM memberships m
     WHERE m.organization_id = p_organization AND m.id = p_membership
    UNION ALL
    SELECT m.user_id, CASE m.role WHEN 'officer' THEN 1 ELSE 2 END, m.id FROM memberships m
     WHERE p_membership IS NULL AND m.organization_id = p_organization AND m.chapter_id = p_chapter
       AND app.leads_chapter(m.role, m.status)
    UNION ALL
    SELECT a.user_id, 3, a.id FROM app.active_admins(p_organization) a WHERE p_membership IS NULL) who
    JOIN users u ON u.id = who.user_id AND (who.rank = 0 OR u.placeholder_in IS NULL AND u.disabled_at IS NULL)
   ORDER BY who.rank, who.id LIMIT 1 $$;
