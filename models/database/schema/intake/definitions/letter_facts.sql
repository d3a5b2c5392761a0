-- Facts of a reference letter for a notification to its recipients, if the type's condition holds.
CREATE OR REPLACE FUNCTION app.letter_facts(p_organization uuid, p_letter uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', p.chapter_id, 'person', u.first_name || ' ' || u.last_name, 'referee', l.name,
           'pnm', p.id, 'became', l.status)
    FROM pnm_reference_letters l JOIN pnm_profiles p ON p.organization_id = l.organization_id AND p.id = l.profile_id
    JOIN memberships m ON m.organization_id = p.organization_id AND m.id = p.membership_id
    JOIN users u ON u.id = m.user_id
   WHERE l.organization_id = p_organization AND l.id = p_letter
     AND p_recipient IN (SELECT w.user_id FROM app.letter_recipients(p_organization, p_letter) w)
     AND CASE p_type
       WHEN 'pnm_letter_received' THEN l.status = 'submitted'
       WHEN 'pnm_letter_missing' THEN l.status IN ('declined', 'expired', 'undeliverable') END $$;
