-- Names the obstacles to the approval of a prospective member, without waived ones. A prospect who was added by hand
-- has sent no application, so nothing counts as missing. A file that is not scanned yet counts as missing.
CREATE OR REPLACE FUNCTION app.intake_problems(p_organization uuid, p_profile uuid) RETURNS TABLE (problem text)
LANGUAGE sql STABLE AS $$
  WITH sent AS (
    SELECT a.*, coalesce(f.verify_email, true) AS verifies, coalesce(f.attachments, '[]') AS attachments,
           coalesce(f.reference_letters, 0) AS letters
      FROM pnm_profiles p JOIN pnm_applications a ON a.organization_id = p.organization_id AND a.profile_id = p.id
       AND a.recruitment_period_id = p.recruitment_period_id AND a.state = 'received'
      LEFT JOIN pnm_application_configs f ON f.organization_id = p.organization_id
     WHERE p.organization_id = p_organization AND p.id = p_profile)
  SELECT one.problem FROM sent CROSS JOIN LATERAL (
      SELECT 'below_minimum_gpa' WHERE sent.below_minimum_gpa
      UNION ALL SELECT 'unverified' WHERE sent.verifies AND NOT sent.is_proven
      UNION ALL SELECT 'attachment_' || (asked ->> 'kind') FROM jsonb_array_elements(sent.attachments) asked
       WHERE (asked ->> 'is_required')::boolean AND NOT EXISTS (
         SELECT FROM pnm_attachments f JOIN stored_files s ON s.organization_id = p_organization AND s.id = f.file_id
          WHERE f.organization_id = p_organization AND f.application_id = sent.id AND f.kind = asked ->> 'kind'
            AND s.status = 'kept')
      UNION ALL SELECT 'reference_letters' WHERE sent.letters > (
         SELECT count(*) FROM pnm_reference_letters l
           LEFT JOIN stored_files s ON s.organization_id = p_organization AND s.id = l.file_id
          WHERE l.organization_id = p_organization AND l.profile_id = p_profile
            AND ((l.status = 'submitted' AND (l.file_id IS NULL OR s.status = 'kept')) OR l.waiver_reason IS NOT NULL))) one (problem)
   WHERE NOT sent.waived ? one.problem
$$;
