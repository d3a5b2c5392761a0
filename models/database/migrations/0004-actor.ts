import type { Migration } from '../migrate.js';

/** Who belongs where, for log-in; and the one look-up that every authenticated request makes. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    -- Log-in has no tenant yet: this copy of who belongs where is kept by triggers and answers without one.
    CREATE TABLE affiliations (
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      organization_id uuid NOT NULL REFERENCES organizations,
      kind text NOT NULL CHECK (kind IN ('member','organization_admin','regional_admin')),
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (user_id, organization_id, kind)
    );
    GRANT SELECT, INSERT, DELETE ON affiliations TO ${runtime};

    CREATE FUNCTION app.gives_access(status text) RETURNS boolean LANGUAGE sql IMMUTABLE
      AS $$ SELECT status NOT IN ('pnm','disaffiliated','inactive') $$;

    CREATE FUNCTION app.keep_affiliation() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      who uuid; stands boolean; wanted text := TG_ARGV[0];
    BEGIN
      FOR who IN SELECT DISTINCT id FROM unnest(ARRAY[
          CASE WHEN TG_OP <> 'INSERT' THEN OLD.user_id END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.user_id END]) AS id
          WHERE id IS NOT NULL ORDER BY id LOOP
        -- two transactions about one person see one another, so that neither keeps nor drops too much
        PERFORM 1 FROM users WHERE id = who FOR NO KEY UPDATE;
        stands := CASE wanted
          WHEN 'member' THEN EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = who
            AND m.organization_id = coalesce(NEW.organization_id, OLD.organization_id) AND app.gives_access(m.status))
          WHEN 'organization_admin' THEN EXISTS (SELECT 1 FROM organization_admins a WHERE a.user_id = who
            AND a.organization_id = coalesce(NEW.organization_id, OLD.organization_id) AND a.is_active)
          ELSE EXISTS (SELECT 1 FROM regional_admins a WHERE a.user_id = who
            AND a.organization_id = coalesce(NEW.organization_id, OLD.organization_id) AND a.is_active) END;
        IF stands THEN
          INSERT INTO affiliations (user_id, organization_id, kind)
            VALUES (who, coalesce(NEW.organization_id, OLD.organization_id), wanted) ON CONFLICT DO NOTHING;
        ELSE
          DELETE FROM affiliations WHERE user_id = who AND kind = wanted
            AND organization_id = coalesce(NEW.organization_id, OLD.organization_id);
        END IF;
      END LOOP;
      RETURN NULL;
    END $$;
    CREATE TRIGGER memberships_affiliation AFTER INSERT OR DELETE OR UPDATE OF user_id, status ON memberships
      FOR EACH ROW EXECUTE FUNCTION app.keep_affiliation('member');
    CREATE TRIGGER organization_admins_affiliation AFTER INSERT OR DELETE OR UPDATE OF user_id, is_active ON organization_admins
      FOR EACH ROW EXECUTE FUNCTION app.keep_affiliation('organization_admin');
    CREATE TRIGGER regional_admins_affiliation AFTER INSERT OR DELETE OR UPDATE OF user_id, is_active ON regional_admins
      FOR EACH ROW EXECUTE FUNCTION app.keep_affiliation('regional_admin');

    -- Sets the tenant first and reads afterwards: a single statement that did both would read under the old tenant.
    CREATE FUNCTION app.load_actor(p_session uuid, p_user uuid, p_token_org uuid, p_header_org uuid)
      RETURNS json LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      who record; org record; target uuid; answer json;
    BEGIN
      SELECT u.id, u.email, u.first_name, u.last_name, u.is_platform_admin, u.must_change_password, s.id AS session_id, s.client
        INTO who FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE s.id = p_session AND s.user_id = p_user AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL;
      IF NOT FOUND THEN RETURN json_build_object('refusal', 'session_ended'); END IF;

      IF who.is_platform_admin THEN target := p_header_org;
      ELSIF p_header_org IS NOT NULL AND p_header_org IS DISTINCT FROM p_token_org THEN
        RETURN json_build_object('refusal', 'organization_forbidden');
      ELSE target := p_token_org; END IF;

      IF target IS NOT NULL THEN
        SELECT id, slug, timezone INTO org FROM organizations
         WHERE id = target AND (is_active OR who.is_platform_admin);
        IF NOT FOUND THEN
          IF who.is_platform_admin THEN RETURN json_build_object('refusal', 'organization_not_found'); END IF;
          target := NULL;
        END IF;
      END IF;
      PERFORM set_config('app.organization_id', coalesce(target::text, ''), true);

      SELECT json_build_object(
        'session_id', who.session_id, 'client', who.client,
        'user', json_build_object('id', who.id, 'email', who.email, 'first_name', who.first_name, 'last_name', who.last_name),
        'is_platform_admin', who.is_platform_admin,
        'must_change_password', who.must_change_password,
        'organization_id', target,
        'is_organization_admin', EXISTS (SELECT 1 FROM organization_admins a
           WHERE a.organization_id = target AND a.user_id = who.id AND a.is_active),
        'regions', coalesce((SELECT json_agg(json_build_object('id', a.region_id, 'role', a.role,
             'chapter_ids', (SELECT coalesce(json_agg(c.id), '[]') FROM chapters c
                WHERE c.organization_id = target AND c.region_id = a.region_id)))
           FROM regional_admins a WHERE a.organization_id = target AND a.user_id = who.id AND a.is_active), '[]'),
        'memberships', coalesce((SELECT json_agg(json_build_object('id', m.id, 'chapter_id', m.chapter_id,
             'role', m.role, 'status', m.status) ORDER BY m.id)
           FROM memberships m WHERE m.organization_id = target AND m.user_id = who.id), '[]'))
        INTO answer;
      RETURN answer;
    END $$;
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    DROP FUNCTION app.load_actor(uuid, uuid, uuid, uuid);
    DROP TRIGGER memberships_affiliation ON memberships;
    DROP TRIGGER organization_admins_affiliation ON organization_admins;
    DROP TRIGGER regional_admins_affiliation ON regional_admins;
    DROP FUNCTION app.keep_affiliation();
    DROP FUNCTION app.gives_access(text);
    DROP TABLE affiliations;
  `);
