-- Facts of a post that was not published, for a notification. `office_of` is null for the author.
CREATE OR REPLACE FUNCTION app.social_post_facts(p_organization uuid, p_post uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', CASE WHEN p_recipient <> p.author_id THEN p_organization END,
           'became', CASE p.status WHEN 'failed' THEN 'was not published' ELSE 'may not have been published: please check' END,
           'text', left(p.text, 200))
    FROM social_posts p
   WHERE p.organization_id = p_organization AND p.id = p_post AND p.status IN ('failed', 'unknown')
     AND p_recipient IN (SELECT w.user_id FROM app.social_post_recipients(p_organization, p_post) w) $$;
