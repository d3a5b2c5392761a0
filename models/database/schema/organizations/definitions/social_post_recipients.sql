-- Author of a post; also all admins of the organization if the post was not published because the author is no longer
-- an admin.
CREATE OR REPLACE FUNCTION app.social_post_recipients(p_organization uuid, p_post uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT p.author_id FROM social_posts p WHERE p.organization_id = p_organization AND p.id = p_post
  UNION
  SELECT a.user_id FROM social_posts p CROSS JOIN LATERAL app.appointed_admins(p.organization_id) a
   WHERE p.organization_id = p_organization AND p.id = p_post AND p.failure = 'not_an_admin' $$;
