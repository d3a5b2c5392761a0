-- Whether a user may see a payment plan request as its member, or as the officer who made it and still holds an office for the
-- chapter; `office_of` is the chapter, and null for the member.
CREATE OR REPLACE FUNCTION app.sees_plan(p_organization uuid, p_chapter uuid, p_requester uuid, p_member uuid, p_user uuid)
  RETURNS TABLE (is_party boolean, office_of uuid) LANGUAGE sql STABLE AS $$
  SELECT p_member = p_user OR p_requester = p_user AND app.holds_office(p_organization, p_chapter, p_user),
         CASE WHEN p_member <> p_user THEN p_chapter END $$;
