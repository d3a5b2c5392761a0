-- Erases texts of all organizations that were deleted 30 days ago or earlier, one batch of each kind; their placeholders
-- stay. Skips rows that another transaction has locked. Returns whether there may be more.
CREATE OR REPLACE FUNCTION app.erase_deleted_forum_texts(p_most integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  last_moment CONSTANT timestamptz := now() - interval '30 days';
  done integer;
  is_more boolean;
BEGIN
  UPDATE forum_posts SET title = NULL, body = NULL, body_html = NULL WHERE id IN (
    SELECT id FROM forum_posts WHERE deleted_at <= last_moment AND body IS NOT NULL
     ORDER BY deleted_at LIMIT p_most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS done = ROW_COUNT;
  is_more := done = p_most;
  UPDATE forum_comments SET body = NULL, body_html = NULL WHERE id IN (
    SELECT id FROM forum_comments WHERE deleted_at <= last_moment AND body IS NOT NULL
     ORDER BY deleted_at LIMIT p_most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS done = ROW_COUNT;
  RETURN is_more OR done = p_most;
END $$;
REVOKE ALL ON FUNCTION app.erase_deleted_forum_texts(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_deleted_forum_texts(integer) TO :"runtime";
