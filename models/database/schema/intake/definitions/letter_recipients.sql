-- People who are notified of a reference letter: those who are notified of applications to the chapter.
CREATE OR REPLACE FUNCTION app.letter_recipients(p_organization uuid, p_letter uuid) RETURNS TABLE (user_id uuid)
  LANGUAGE sql STABLE AS $$
  SELECT who.user_id FROM pnm_reference_letters l
    JOIN pnm_profiles p ON p.organization_id = l.organization_id AND p.id = l.profile_id
   CROSS JOIN LATERAL app.application_audience(l.organization_id, p.chapter_id, 'application_received') who
   WHERE l.organization_id = p_organization AND l.id = p_letter $$;
