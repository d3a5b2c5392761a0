-- Facts of a proposed name for a notification, if the recipient may see it and the type's condition holds. `office_of`
-- is null for the person who proposed it.
CREATE OR REPLACE FUNCTION app.name_assignment_facts(p_organization uuid, p_assignment uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', CASE WHEN p_recipient IS DISTINCT FROM a.requested_by THEN a.chapter_id END,
           'name', a.name, 'chapter', c.name, 'person', u.first_name || ' ' || u.last_name,
           'decision', a.status, 'notes', coalesce(' ' || a.review_notes, ''))
    FROM pnm_name_assignments a JOIN chapters c ON c.organization_id = a.organization_id AND c.id = a.chapter_id
    JOIN pnm_profiles p ON p.organization_id = a.organization_id AND p.id = a.profile_id
    JOIN memberships m ON m.organization_id = p.organization_id AND m.id = p.membership_id
    JOIN users u ON u.id = m.user_id
   WHERE a.organization_id = p_organization AND a.id = p_assignment
     AND CASE p_type
       WHEN 'pnm_name_pending' THEN a.status = 'proposed'
         AND p_recipient IN (SELECT d.user_id FROM app.name_assignment_deciders(p_organization, p_assignment) d)
       WHEN 'pnm_name_decided' THEN a.requested_by = p_recipient AND a.status IN ('approved', 'rejected') END $$;
