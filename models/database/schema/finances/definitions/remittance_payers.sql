-- Users who created a remittance and who last requested its payment, if they still hold an office that allows it;
-- otherwise the chapter's payer.
CREATE OR REPLACE FUNCTION app.remittance_payers(p_organization uuid, p_remittance uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  WITH paying AS (
    SELECT who.user_id FROM chapter_remittances r
     CROSS JOIN LATERAL (
       SELECT r.created_by AS user_id
        UNION
       (SELECT a.requested_by FROM payment_attempts a
         WHERE a.organization_id = r.organization_id AND a.remittance_id = r.id ORDER BY a.id DESC LIMIT 1)) who
     WHERE r.organization_id = p_organization AND r.id = p_remittance
       AND app.holds_office(r.organization_id, r.chapter_id, who.user_id))
  SELECT paying.user_id FROM paying
  UNION ALL
  SELECT payer.user_id FROM chapter_remittances r
   CROSS JOIN LATERAL app.payer_of(r.organization_id, r.chapter_id, NULL) payer
   WHERE r.organization_id = p_organization AND r.id = p_remittance AND NOT EXISTS (SELECT FROM paying) $$;
