-- Facts of a request for a change of status for a notification, if the recipient may see it and the type's condition
-- holds. `office_of` is null for the requester.
CREATE OR REPLACE FUNCTION app.status_change_facts(p_organization uuid, p_request uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', CASE WHEN p_recipient IS DISTINCT FROM r.requested_by THEN r.chapter_id END,
           'chapter', c.name, 'status', replace(r.to_status, '_', ' '),
           'person', (SELECT u.first_name || ' ' || u.last_name FROM users u WHERE u.id = r.requested_by),
           'decision', r.status, 'notes', coalesce(' ' || r.review_notes, ''))
    FROM status_change_requests r JOIN chapters c ON c.organization_id = r.organization_id AND c.id = r.chapter_id
   WHERE r.organization_id = p_organization AND r.id = p_request
     AND CASE p_type
       WHEN 'status_change_requested' THEN p_recipient IN (SELECT d.user_id FROM app.status_change_deciders(p_organization, p_request) d)
       WHEN 'status_change_decided' THEN r.requested_by = p_recipient AND r.status IN ('approved', 'rejected') END $$;
