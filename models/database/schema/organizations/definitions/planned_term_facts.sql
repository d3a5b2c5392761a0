-- Facts of a planned term that did not begin, for a notification. `office_of` is null for the person who planned it.
CREATE OR REPLACE FUNCTION app.planned_term_facts(p_organization uuid, p_term uuid, p_recipient uuid, p_type text)
  RETURNS TABLE (facts jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('office_of', CASE WHEN p_recipient <> r.requested_by THEN p_organization END,
           'person', (SELECT m.name FROM app.name_of_member(r.organization_id, r.membership_id) m),
           'reason', replace(r.refusal, '_', ' '), 'day', r.starts_on::text,
           'position', app.position_in_words(r.position, r.title))
    FROM planned_terms r
   WHERE r.organization_id = p_organization AND r.id = p_term AND r.state IN ('refused', 'failed')
     AND p_recipient IN (SELECT w.user_id FROM app.planned_term_recipients(p_organization, p_term) w) $$;
