-- People who decide a case now, and are notified of it.
CREATE OR REPLACE FUNCTION app.forum_case_deciders(p_organization uuid, p_case uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT who.user_id FROM forum_cases k CROSS JOIN LATERAL app.forum_moderators(k.organization_id, k.forum_id) who
   WHERE k.organization_id = p_organization AND k.id = p_case
     AND app.decides_forum_case(k.organization_id, who.user_id, k.forum_id, k.author_id, k.status, k.decided_by) $$;
