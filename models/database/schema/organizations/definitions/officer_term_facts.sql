-- Facts of an officer's term for a notification, if the recipient may see it and the type's condition holds.
-- `office_of` is null for the holder.
CREATE OR REPLACE FUNCTION app.officer_term_facts(p_organization uuid, p_term uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
           'office_of', CASE WHEN p_recipient NOT IN (SELECT h.user_id FROM app.term_holder(p_organization, p_term) h) THEN t.chapter_id END,
           'chapter', c.name, 'person', (SELECT h.name FROM app.name_of_member(t.organization_id, t.membership_id) h),
           'ends_on', t.ends_on::text, 'position', app.position_in_words(t.position, t.title))
    FROM officer_terms t JOIN chapters c ON c.organization_id = t.organization_id AND c.id = t.chapter_id
   WHERE t.organization_id = p_organization AND t.id = p_term
     AND CASE p_type
       WHEN 'term_ends_soon' THEN t.ended_on IS NULL AND t.ends_on IS NOT NULL
         AND p_recipient IN (SELECT h.user_id FROM app.term_holder(p_organization, p_term) h)
       WHEN 'term_held_over' THEN t.ended_on IS NULL AND t.ends_on < app.today()
         AND p_recipient IN (SELECT w.user_id FROM app.term_holder_and_overseers(p_organization, p_term) w)
       WHEN 'office_vacant' THEN p_recipient IN (SELECT o.user_id FROM app.term_overseers(p_organization, p_term) o)
         AND NOT EXISTS (SELECT FROM officer_terms o
               WHERE o.organization_id = t.organization_id AND o.chapter_id = t.chapter_id AND o.position = t.position
                 AND o.ended_on IS NULL) END $$;
