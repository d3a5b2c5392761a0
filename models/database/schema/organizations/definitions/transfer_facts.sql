-- Facts of a transfer request for a notification, if the recipient may see it and the type's condition holds.
-- `office_of` is null for the requester and the member.
CREATE OR REPLACE FUNCTION app.transfer_facts(p_organization uuid, p_request uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', CASE WHEN p_recipient NOT IN (r.requested_by, m.user_id) THEN r.to_chapter_id END,
           'chapter', c.name, 'destination', d.name, 'person', u.first_name || ' ' || u.last_name,
           'decision', r.status, 'notes', coalesce(' ' || r.review_notes, ''))
    FROM transfer_requests r JOIN chapters c ON c.organization_id = r.organization_id AND c.id = r.chapter_id
    JOIN chapters d ON d.organization_id = r.organization_id AND d.id = r.to_chapter_id
    JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
    JOIN users u ON u.id = m.user_id
   WHERE r.organization_id = p_organization AND r.id = p_request
     AND CASE p_type
       WHEN 'transfer_requested' THEN p_recipient IN (SELECT d.user_id FROM app.transfer_deciders(p_organization, p_request) d)
       WHEN 'transfer_decided' THEN p_recipient IN (r.requested_by, m.user_id) AND r.status IN ('approved', 'rejected') END $$;
