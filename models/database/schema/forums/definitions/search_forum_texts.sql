-- Finds the newest published texts of the tenant that match a search, in the forums that a user sees, or in one of them.
-- It runs as the owner, because under row level security Postgres uses no index for a text search. It returns ids and
-- times only; the caller checks the access again.
CREATE OR REPLACE FUNCTION app.search_forum_texts(p_user uuid, p_words text, p_forum uuid, p_most integer)
  RETURNS TABLE (forum_id uuid, post_id uuid, comment_id uuid, created_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  tenant CONSTANT uuid := app.org_id();
  words CONSTANT tsquery := websearch_to_tsquery('simple', translate(p_words, '_</', '   '));
  seen uuid[];
BEGIN
  -- A search without a word that has to occur would read all texts.
  IF querytree(words) IN ('', 'T') THEN RETURN; END IF;
  seen := ARRAY(SELECT f.id FROM forums f
                   WHERE f.organization_id = tenant AND (p_forum IS NULL OR f.id = p_forum)
                     AND app.forum_role(tenant, p_user, f.id) IS NOT NULL);
  -- Matches are found before the forums are compared: Postgres knows how frequent a word is in all organizations, and
  -- with both conditions it may parse all texts of the forums for a word that is rare in this one.
  RETURN QUERY
    WITH posts AS MATERIALIZED (
      SELECT t.forum_id, t.id AS post_id, NULL::uuid AS comment_id, t.created_at FROM forum_posts t
       WHERE t.organization_id = tenant
         AND to_tsvector('simple', translate(t.title || ' ' || t.body, '_</', '   ')) @@ words
         AND t.deleted_at IS NULL AND t.status = 'published'),
    comments AS MATERIALIZED (
      SELECT t.forum_id, t.post_id, t.id AS comment_id, t.created_at FROM forum_comments t
       WHERE t.organization_id = tenant AND to_tsvector('simple', translate(t.body, '_</', '   ')) @@ words
         AND t.deleted_at IS NULL AND t.status = 'published')
    SELECT found.* FROM (TABLE posts UNION ALL TABLE comments) found
     WHERE found.forum_id = ANY (seen) AND (found.comment_id IS NULL OR EXISTS (SELECT FROM forum_posts p
       WHERE p.organization_id = tenant AND p.id = found.post_id AND p.status = 'published'))
     ORDER BY found.created_at DESC, found.post_id DESC, found.comment_id DESC LIMIT p_most;
END $$;
REVOKE ALL ON FUNCTION app.search_forum_texts(uuid, text, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.search_forum_texts(uuid, text, uuid, integer) TO :"runtime";
