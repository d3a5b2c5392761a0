-- Returns when the person of a session must sign in at the identity provider again. Null if no provider began the
-- session: the person then never has to.
CREATE OR REPLACE FUNCTION app.provider_due_at(p_answered_at timestamptz, p_connection uuid) RETURNS timestamptz
  LANGUAGE sql STABLE AS $$
  SELECT p_answered_at + interval '1 hour' * coalesce(
    (SELECT session_max_age_hours FROM sso_connections WHERE id = p_connection), 168) $$;
