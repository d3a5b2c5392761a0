-- Erases texts of all organizations that were deleted 30 days ago or earlier, one batch of each kind; their placeholders
-- stay, and files that they still have are removed. Skips rows that another transaction has locked, and texts whose author
-- has appealed and waits for the decision. Returns whether there may be more.
CREATE OR REPLACE FUNCTION app.erase_deleted_forum_texts(p_most integer) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  last_moment CONSTANT timestamptz := now() - interval '30 days';
  posts uuid[];
  comments uuid[];
  attachment record;
BEGIN
  WITH erased AS (
    UPDATE forum_posts SET title = NULL, body = NULL, body_html = NULL WHERE id IN (
      SELECT id FROM forum_posts t WHERE deleted_at <= last_moment AND body IS NOT NULL
         AND NOT EXISTS (SELECT FROM forum_cases k
           WHERE k.organization_id = t.organization_id AND k.text_id = t.id AND k.status = 'appealed')
       ORDER BY deleted_at LIMIT p_most FOR UPDATE SKIP LOCKED) RETURNING id)
  SELECT array_agg(id) INTO posts FROM erased;
  WITH erased AS (
    UPDATE forum_comments SET body = NULL, body_html = NULL WHERE id IN (
      SELECT id FROM forum_comments t WHERE deleted_at <= last_moment AND body IS NOT NULL
         AND NOT EXISTS (SELECT FROM forum_cases k
           WHERE k.organization_id = t.organization_id AND k.text_id = t.id AND k.status = 'appealed')
       ORDER BY deleted_at LIMIT p_most FOR UPDATE SKIP LOCKED) RETURNING id)
  SELECT array_agg(id) INTO comments FROM erased;
  DELETE FROM forum_revisions r
   USING (SELECT organization_id, id FROM forum_posts WHERE id = ANY (posts)
          UNION ALL SELECT organization_id, id FROM forum_comments WHERE id = ANY (comments)) erased
   WHERE r.organization_id = erased.organization_id AND r.text_id = erased.id;
  FOR attachment IN
    DELETE FROM forum_attachments a
     USING (SELECT organization_id, id FROM forum_posts WHERE id = ANY (posts)
            UNION ALL SELECT organization_id, id FROM forum_comments WHERE id = ANY (comments)) erased
     WHERE a.organization_id = erased.organization_id AND (a.post_id = erased.id OR a.comment_id = erased.id)
    RETURNING a.organization_id, a.file_id
  LOOP
    PERFORM app.remove_file(attachment.organization_id, attachment.file_id);
  END LOOP;
  RETURN coalesce(p_most IN (cardinality(posts), cardinality(comments)), false);
END $$;
REVOKE ALL ON FUNCTION app.erase_deleted_forum_texts(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_deleted_forum_texts(integer) TO :"runtime";
