-- Whether a user with a role in a forum sees a text there, or the placeholder that is left of it. Texts that wait for a
-- decision are seen by their author and by moderators.
CREATE OR REPLACE FUNCTION app.sees_forum_text(p_status text, p_author uuid, p_user uuid, p_role text) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT p_status IN ('published', 'removed') OR p_author = p_user OR p_role IN ('moderator', 'admin') $$;
