-- Open invitations to these addresses in all organizations, newest first.
CREATE OR REPLACE FUNCTION app.invitations_to(p_emails text[])
  RETURNS TABLE (id uuid, organization_id uuid, user_id uuid, kind text, chapter text, region text, role text,
                 title text, mailed_at timestamptz, expires_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.id, i.organization_id, i.user_id,
         CASE WHEN i.membership_id IS NOT NULL THEN 'member'
              WHEN i.organization_admin_id IS NOT NULL THEN 'organization_admin' ELSE 'regional_admin' END,
         c.name, r.name, coalesce(m.role, ra.role),
         coalesce(oa.title, ra.title), i.mailed_at, i.expires_at
    FROM users u JOIN invitations i ON i.user_id = u.id AND i.state = 'open' AND i.expires_at > now()
    JOIN organizations o ON o.id = i.organization_id AND o.is_active
    LEFT JOIN memberships m ON m.id = i.membership_id
    LEFT JOIN chapters c ON c.id = m.chapter_id
    LEFT JOIN organization_admins oa ON oa.id = i.organization_admin_id
    LEFT JOIN regional_admins ra ON ra.id = i.regional_admin_id
    LEFT JOIN regions r ON r.id = ra.region_id
   WHERE u.typed_email IS NOT NULL AND u.typed_email = ANY (p_emails) ORDER BY i.id DESC $$;
REVOKE ALL ON FUNCTION app.invitations_to(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.invitations_to(text[]) TO :"runtime";
