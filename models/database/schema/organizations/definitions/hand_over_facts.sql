-- Facts of a request to hand over an office for a notification, if the recipient may see it and the type's condition
-- holds. `office_of` is null for the requester.
CREATE OR REPLACE FUNCTION app.hand_over_facts(p_organization uuid, p_request uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', CASE WHEN p_recipient IS DISTINCT FROM r.requested_by THEN r.chapter_id END,
           'chapter', c.name,
           'successor', (SELECT s.name FROM app.name_of_member(r.organization_id, r.successor_id) s),
           'requester', coalesce((SELECT u.first_name || ' ' || u.last_name FROM users u WHERE u.id = r.requested_by), ''),
           'position', app.position_in_words(t.position, t.title),
           'decision', r.status, 'notes', coalesce(' ' || r.review_notes, ''))
    FROM hand_over_requests r JOIN chapters c ON c.organization_id = r.organization_id AND c.id = r.chapter_id
    JOIN officer_terms t ON t.organization_id = r.organization_id AND t.id = r.term_id
   WHERE r.organization_id = p_organization AND r.id = p_request
     AND CASE p_type
       WHEN 'hand_over_requested' THEN r.status = 'pending'
         AND p_recipient IN (SELECT d.user_id FROM app.hand_over_deciders(p_organization, p_request) d)
       WHEN 'hand_over_decided' THEN r.requested_by = p_recipient AND r.status IN ('approved', 'rejected') END $$;
