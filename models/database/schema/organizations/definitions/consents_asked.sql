-- What an organization asks somebody to agree to now, in which version: members are those whose membership lets them in, officers
-- those who lead a chapter. Applicants are asked where they apply, and have no account. In FROM, so that Postgres puts it into the
-- statement that asks.
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
