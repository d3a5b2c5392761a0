-- Returns the facts about an application that a notification of type p_type shows to p_recipient. No row if the
-- condition of that type does not hold.
CREATE OR REPLACE FUNCTION app.application_facts(p_organization uuid, p_application uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', p.chapter_id, 'chapter', c.name, 'person', p.first_name || ' ' || p.last_name)
    FROM pnm_applications p JOIN chapters c ON c.organization_id = p.organization_id AND c.id = p.chapter_id
   WHERE p.organization_id = p_organization AND p.id = p_application
     AND CASE p_type
       WHEN 'pnm_application_received' THEN p.state = 'received'
         AND p_recipient IN (SELECT w.user_id FROM app.application_received_recipients(p_organization, p_application) w)
       WHEN 'pnm_application_replaced' THEN p.state = 'received'
         AND p_recipient IN (SELECT w.user_id FROM app.application_replaced_recipients(p_organization, p_application) w)
       WHEN 'pnm_application_withdrawn' THEN p.state = 'withdrawn'
         AND p_recipient IN (SELECT w.user_id FROM app.application_withdrawn_recipients(p_organization, p_application) w) END $$;
