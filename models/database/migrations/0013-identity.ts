import type { Migration } from '../migrate.js';

/** How and when a session was proven, what people are told about their account, and what happened to it. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    ALTER TABLE sessions
      ADD COLUMN auth_time timestamptz,
      ADD COLUMN auth_method text NOT NULL DEFAULT 'password'
        CHECK (auth_method IN ('password', 'passkey', 'saml', 'oauth')),
      -- begun by an organization's identity provider: never leaves that organization
      ADD COLUMN confined boolean NOT NULL DEFAULT false,
      ADD CONSTRAINT sessions_confined_somewhere CHECK (NOT confined OR organization_id IS NOT NULL);
    UPDATE sessions SET auth_time = created_at;
    ALTER TABLE sessions ALTER COLUMN auth_time SET NOT NULL, ALTER COLUMN auth_time SET DEFAULT now();

    CREATE TABLE security_events (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 100),
      organization_id uuid REFERENCES organizations,
      session_id uuid,
      ip_address text CHECK (length(ip_address) <= 60),
      user_agent text CHECK (length(user_agent) <= 300),
      details jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX security_events_user ON security_events (user_id, id);

    -- a secret is for the mail alone: encrypted, and gone once the mail is out
    CREATE TABLE account_notices (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 100),
      email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
      facts jsonb NOT NULL DEFAULT '{}',
      secret_encrypted text,
      expires_at timestamptz,
      outcome text CHECK (outcome IN ('sent', 'refused', 'expired')),
      closed_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT account_notices_closed CHECK ((outcome IS NULL) = (closed_at IS NULL)),
      CONSTRAINT account_notices_secret_gone CHECK (closed_at IS NULL OR secret_encrypted IS NULL)
    );
    CREATE INDEX account_notices_user ON account_notices (user_id, id);
    GRANT SELECT, INSERT ON security_events TO ${runtime};
    GRANT SELECT, INSERT, UPDATE ON account_notices TO ${runtime};

    -- processes about a person belong to no organization
    ALTER TABLE outbox ALTER COLUMN organization_id DROP NOT NULL;

    ${loadActor({ knowsProof: true })}
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    ${loadActor({ knowsProof: false })}
    DELETE FROM outbox WHERE organization_id IS NULL;
    ALTER TABLE outbox ALTER COLUMN organization_id SET NOT NULL;
    DROP TABLE account_notices, security_events;
    ALTER TABLE sessions DROP CONSTRAINT sessions_confined_somewhere,
      DROP COLUMN confined, DROP COLUMN auth_method, DROP COLUMN auth_time;
  `);

const PROOF = `
             s.auth_method, s.confined, s.auth_time > now() - interval '15 minutes' AS is_recent,`;
const SHOWN = `
          'auth', json_build_object('method', who.auth_method, 'is_recent', who.is_recent, 'is_confined', who.confined),`;

/** As in 0012. */
const loadActor = ({ knowsProof }: { knowsProof: boolean }): string => `
    CREATE OR REPLACE FUNCTION app.load_actor(p_session uuid, p_user uuid, p_token_org uuid, p_header_org uuid, p_timeout_ms int)
      RETURNS json LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      who record; is_admin boolean; regions json; answer json;
    BEGIN
      SELECT u.id, u.email, u.first_name, u.last_name, u.is_platform_admin, u.must_change_password, s.client,${knowsProof ? PROOF : ''}
             o.id AS organization_id, r.refusal,
             EXISTS (SELECT FROM affiliations f WHERE f.user_id = u.id AND f.organization_id = o.id AND f.kind <> 'member') AS holds_office,
             set_config('app.organization_id', CASE WHEN r.refusal IS NULL AND o.id IS NOT NULL THEN o.id::text ELSE '' END, true),
             set_config('statement_timeout', p_timeout_ms::text, true),
             CASE WHEN current_setting('timezone') <> 'UTC' THEN set_config('timezone', 'UTC', true) END
        INTO who
        FROM sessions s JOIN users u ON u.id = s.user_id
        LEFT JOIN organizations o ON o.id = CASE WHEN u.is_platform_admin THEN p_header_org ELSE p_token_org END
          AND (o.is_active OR u.is_platform_admin)
        CROSS JOIN LATERAL (SELECT CASE
          WHEN u.is_platform_admin AND p_header_org IS NOT NULL AND o.id IS NULL THEN 'organization_not_found'
          WHEN NOT u.is_platform_admin AND p_header_org IS NOT NULL AND p_header_org IS DISTINCT FROM p_token_org
            THEN 'organization_forbidden' END AS refusal) r
       WHERE s.id = p_session AND s.user_id = p_user AND s.revoked_at IS NULL AND s.expires_at > now() AND u.disabled_at IS NULL;
      IF who.id IS NULL OR who.refusal IS NOT NULL THEN
        RETURN json_build_object('refusal', coalesce(who.refusal, 'session_ended'));
      END IF;

      -- the tenant stands: tables of tenants may be read from here on
      IF who.holds_office THEN
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
          'session_id', p_session, 'client', who.client,${knowsProof ? SHOWN : ''}
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
