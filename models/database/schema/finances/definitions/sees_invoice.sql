-- Returns what a user sees of an invoice of a member, or of a chapter if p_membership is null; the columns are those of
-- app.sees_chapter. The member who pays needs no office. For an invoice that the chapter pays, an office for the
-- chapter is needed.
CREATE OR REPLACE FUNCTION app.sees_invoice(p_organization uuid, p_chapter uuid, p_membership uuid, p_user uuid)
  RETURNS TABLE (amounts boolean, office_of uuid) LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN own.is_payer THEN true
              WHEN p_membership IS NULL THEN (SELECT c.amounts FROM app.sees_chapter(p_organization, p_chapter, p_user) c) END,
         CASE WHEN NOT own.is_payer THEN p_chapter END
    FROM (SELECT EXISTS (SELECT FROM memberships m WHERE m.organization_id = p_organization AND m.id = p_membership
            AND m.user_id = p_user) AS is_payer OFFSET 0) own OFFSET 0 $$;
