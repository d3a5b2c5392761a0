import { isolate } from '../isolation.js';
import type { Migration } from '../migrate.js';

/** What an identity provider calls somebody, and a session of theirs. */
const PROVIDER_COLUMNS = `
      ADD COLUMN provider_name_id text CHECK (length(provider_name_id) BETWEEN 1 AND 1024),
      ADD COLUMN provider_name_attributes jsonb,
      ADD COLUMN provider_session text CHECK (length(provider_session) BETWEEN 1 AND 1024)`;

/**
 * Access tokens fall with a switch of organization; a session knows what its identity provider calls it; refused
 * sign-ins are on record. `saml_sign_ins` and the `load_actor` of 0021 stay for processes of the release before.
 */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    -- how often the session moved to another organization: its access tokens say the same number, or are refused
    ALTER TABLE sessions ADD COLUMN switches integer NOT NULL DEFAULT 0,
      ${PROVIDER_COLUMNS};
    CREATE FUNCTION app.count_switch() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.switches := OLD.switches + 1;
      RETURN NEW;
    END $$;
    CREATE TRIGGER sessions_count_switch BEFORE UPDATE OF organization_id ON sessions FOR EACH ROW
      WHEN (NEW.organization_id IS DISTINCT FROM OLD.organization_id) EXECUTE FUNCTION app.count_switch();
    ${loadActor}

    -- from the provider's answer to the session
    ALTER TABLE sso_codes ${PROVIDER_COLUMNS};
    CREATE INDEX sso_codes_provider_name ON sso_codes (connection_id, provider_name_id) WHERE provider_name_id IS NOT NULL;
    CREATE INDEX sessions_provider_name ON sessions (connection_id, provider_name_id)
      WHERE provider_name_id IS NOT NULL AND revoked_at IS NULL;
    -- of these nobody knows which of the provider's sessions began them
    UPDATE sessions s SET provider_name_id = n.name_id, provider_name_attributes = n.name_id_attributes
      FROM sso_identities i JOIN saml_sign_ins n
        ON n.organization_id = i.organization_id AND n.configuration_id = i.connection_id AND n.subject = i.subject
     WHERE s.connection_id = i.connection_id AND s.user_id = i.user_id AND s.revoked_at IS NULL AND s.expires_at > now();

    -- why sign-ins by an identity provider were refused, for the admins who set it up: it names nobody
    CREATE TABLE sso_refusals (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL,
      connection_id uuid NOT NULL,
      reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 50),
      -- which check it was; a word of ours, never a provider's
      detail text CHECK (length(detail) BETWEEN 1 AND 100),
      request_id text NOT NULL CHECK (length(request_id) BETWEEN 1 AND 100),
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, connection_id) REFERENCES sso_connections (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX sso_refusals_connection ON sso_refusals (organization_id, connection_id, reason, created_at);
    CREATE INDEX sso_refusals_age ON sso_refusals (organization_id, created_at);
    ${isolate('sso_refusals', runtime)}
    REVOKE UPDATE ON sso_refusals FROM ${runtime};
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    DROP TABLE sso_refusals;
    DROP FUNCTION app.load_actor(uuid, uuid, uuid, uuid, int, boolean, int);
    DROP TRIGGER sessions_count_switch ON sessions;
    DROP FUNCTION app.count_switch();
    ALTER TABLE sso_codes DROP COLUMN provider_name_id, DROP COLUMN provider_name_attributes, DROP COLUMN provider_session;
    ALTER TABLE sessions DROP COLUMN switches,
      DROP COLUMN provider_name_id, DROP COLUMN provider_name_attributes, DROP COLUMN provider_session;
  `);

/** That of 0021, which also refuses tokens from before the session moved. */
const loadActor = `
    -- p_whole: false for a person who only has to belong here. An impersonation is always looked at as a whole.
    CREATE FUNCTION app.load_actor(p_session uuid, p_user uuid, p_token_org uuid, p_header_org uuid, p_timeout_ms int, p_whole boolean,
                                   p_switches int)
      RETURNS json LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      who record; is_admin boolean; regions json; impersonation json; answer json;
    BEGIN
      SELECT u.id, u.email, u.first_name, u.last_name, u.is_platform_admin, u.must_change_password, s.client,
             s.auth_method, s.confined, s.auth_time > now() - interval '15 minutes' AS is_recent, s.impersonation_id,
             CASE WHEN s.impersonation_id IS NOT NULL THEN set_config('transaction_read_only', 'on', true) END,
             o.id AS organization_id, r.refusal,
             -- an office, or, where that is all that is asked, anything
             EXISTS (SELECT FROM affiliations f WHERE f.user_id = u.id AND f.organization_id = o.id
                       AND (NOT p_whole OR f.kind <> 'member')) AS belongs,
             set_config('app.organization_id', CASE WHEN r.refusal IS NULL AND o.id IS NOT NULL THEN o.id::text ELSE '' END, true),
             set_config('statement_timeout', p_timeout_ms::text, true),
             CASE WHEN current_setting('timezone') <> 'UTC' THEN set_config('timezone', 'UTC', true) END
        INTO who
        FROM sessions s JOIN users u ON u.id = s.user_id
        LEFT JOIN organizations o ON o.id = CASE WHEN u.is_platform_admin THEN p_header_org ELSE p_token_org END
          AND (o.is_active OR u.is_platform_admin)
        CROSS JOIN LATERAL (SELECT CASE
          WHEN s.switches <> p_switches OR s.organization_id IS DISTINCT FROM p_token_org THEN 'token_superseded'
          WHEN u.is_platform_admin AND p_header_org IS NOT NULL AND o.id IS NULL THEN 'organization_not_found'
          WHEN NOT u.is_platform_admin AND p_header_org IS NOT NULL AND p_header_org IS DISTINCT FROM p_token_org
            THEN 'organization_forbidden' END AS refusal) r
       WHERE s.id = p_session AND s.user_id = p_user AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL;
      IF who.id IS NULL OR who.refusal IS NOT NULL THEN
        -- an account that is disabled may be enabled: its session is not over yet
        RETURN json_build_object('refusal', coalesce(who.refusal, 'session_ended'), 'for_good', who.refusal IS NOT NULL OR NOT EXISTS (
          SELECT FROM sessions s WHERE s.id = p_session AND s.user_id = p_user AND s.revoked_at IS NULL AND s.expires_at > now()));
      END IF;
      IF NOT p_whole AND who.impersonation_id IS NULL THEN
        RETURN json_build_object(
          'session_id', p_session, 'client', who.client,
          'auth', json_build_object('method', who.auth_method, 'is_recent', who.is_recent, 'is_confined', who.confined),
          'user', json_build_object('id', who.id, 'email', who.email, 'first_name', who.first_name, 'last_name', who.last_name),
          'is_platform_admin', who.is_platform_admin, 'must_change_password', who.must_change_password,
          'organization_id', who.organization_id, 'belongs', who.belongs);
      END IF;

      -- the tenant stands: tables of tenants may be read from here on
      IF who.impersonation_id IS NOT NULL THEN
        impersonation := app.impersonation(who.impersonation_id, p_session, p_user);
        IF impersonation IS NULL THEN RETURN json_build_object('refusal', 'session_ended'); END IF;
      END IF;
      IF who.belongs THEN
        SELECT EXISTS (SELECT FROM organization_admins a
                        WHERE a.organization_id = who.organization_id AND a.user_id = p_user AND a.is_active),
               (SELECT json_agg(json_build_object('id', a.region_id, 'role', a.role,
                    'chapter_ids', (SELECT coalesce(json_agg(c.id), '[]') FROM chapters c
                       WHERE c.organization_id = who.organization_id AND c.region_id = a.region_id)))
                  FROM regional_admins a
                 WHERE a.organization_id = who.organization_id AND a.user_id = p_user AND a.is_active)
          INTO is_admin, regions;
      END IF;
      SELECT json_build_object(
          'session_id', p_session, 'client', who.client,
          'auth', json_build_object('method', who.auth_method, 'is_recent', who.is_recent, 'is_confined', who.confined),
          'impersonation', impersonation,
          'user', json_build_object('id', who.id, 'email', who.email, 'first_name', who.first_name, 'last_name', who.last_name),
          'is_platform_admin', who.is_platform_admin, 'must_change_password', who.must_change_password,
          'organization_id', who.organization_id, 'is_organization_admin', coalesce(is_admin, false),
          'regions', coalesce(regions, '[]'),
          'memberships', coalesce(json_agg(json_build_object('id', m.id, 'chapter_id', m.chapter_id,
            'role', m.role, 'status', m.status) ORDER BY m.id), '[]'))
        INTO answer
        FROM memberships m WHERE m.organization_id = who.organization_id AND m.user_id = p_user;
      RETURN answer;
    END $$;`;
