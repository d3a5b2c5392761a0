-- Consents that an organization currently requires of a person, with their version. Some are required of members with
-- access, others of officers who lead a chapter; applicants give theirs in the application. Call it in FROM: Postgres
-- then inlines it.
CREATE OR REPLACE FUNCTION app.consents_asked(p_organization uuid, p_user uuid)
  RETURNS TABLE (template_id uuid, version integer, is_due boolean)
  LANGUAGE sql STABLE AS $$
  SELECT t.id, t.published_version,
         NOT coalesce((SELECT r.kind = 'given' AND r.version = t.published_version FROM consent_records r
           WHERE r.organization_id = p_organization AND r.template_id = t.id AND r.user_id = p_user
           ORDER BY r.ordinal DESC LIMIT 1), false)
    FROM consent_templates t
   WHERE t.organization_id = p_organization AND t.is_active AND t.published_version IS NOT NULL
     AND EXISTS (SELECT FROM memberships m WHERE m.organization_id = p_organization AND m.user_id = p_user
       AND CASE t.audience WHEN 'members' THEN app.gives_access(m.status)
                           WHEN 'officers' THEN app.leads_chapter(m.role, m.status) ELSE false END) $$;
