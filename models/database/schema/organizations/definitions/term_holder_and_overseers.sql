-- Holder of an officer's term, and the people responsible for the office.
CREATE OR REPLACE FUNCTION app.term_holder_and_overseers(p_organization uuid, p_term uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT h.user_id FROM app.term_holder(p_organization, p_term) h
  UNION
  SELECT o.user_id FROM app.term_overseers(p_organization, p_term) o $$;
