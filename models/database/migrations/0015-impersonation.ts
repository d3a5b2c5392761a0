import { isolate } from '../isolation.js';
import type { Migration } from '../migrate.js';

/** Sessions in which an organization's admin sees what a member sees, and the search that finds the member. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    CREATE TABLE impersonations (
      -- the session's imp_sid
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL REFERENCES organizations,
      membership_id uuid NOT NULL,
      user_id uuid NOT NULL REFERENCES users,
      actor_id uuid NOT NULL REFERENCES users,
      -- the admin's own, which goes on afterwards
      actor_session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
      session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
      ends_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT impersonations_of_another CHECK (user_id <> actor_id),
      FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX impersonations_tenant ON impersonations (organization_id, created_at);
    CREATE INDEX impersonations_membership ON impersonations (organization_id, membership_id);
    CREATE INDEX impersonations_session ON impersonations (session_id);
    CREATE INDEX impersonations_actor_session ON impersonations (actor_session_id);
    ${isolate('impersonations', runtime)}

    -- no foreign key: that row is a tenant's. One that is not there opens nothing.
    ALTER TABLE sessions ADD COLUMN impersonation_id uuid,
      ADD CONSTRAINT sessions_impersonation_somewhere CHECK (impersonation_id IS NULL OR organization_id IS NOT NULL);
    ALTER TABLE organizations ADD COLUMN impersonation_notices boolean NOT NULL DEFAULT true;

    -- The one rule of whom an admin may be: a function in FROM, so that Postgres puts it into the statement that asks.
    CREATE FUNCTION app.impersonable(p_user uuid, p_status text, p_actor uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
      SELECT u.id FROM users u
       WHERE u.id = p_user AND u.id <> p_actor AND app.gives_access(p_status)
         AND NOT u.is_platform_admin AND NOT u.must_change_password AND u.disabled_at IS NULL
         -- in whatever organization
         AND NOT EXISTS (SELECT FROM affiliations f WHERE f.user_id = u.id AND f.kind <> 'member') $$;

    CREATE FUNCTION app.may_impersonate(p_actor uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
      SELECT EXISTS (SELECT FROM organization_admins a JOIN users u ON u.id = a.user_id
                      WHERE a.organization_id = app.org_id() AND a.user_id = p_actor AND a.is_active AND u.disabled_at IS NULL) $$;

    -- What such a session may still see, asked with each of its requests. No row: it has ended.
    CREATE FUNCTION app.impersonation(p_id uuid, p_session uuid, p_user uuid) RETURNS json LANGUAGE sql STABLE AS $$
      SELECT json_build_object('id', i.id, 'actor_id', i.actor_id, 'organization_id', i.organization_id,
                               'ends_at', i.ends_at, 'deadline', extract(epoch FROM i.ends_at)::bigint)
        FROM impersonations i
        JOIN sessions own ON own.id = i.actor_session_id AND own.user_id = i.actor_id AND own.revoked_at IS NULL
        JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id AND m.user_id = i.user_id
       CROSS JOIN LATERAL app.impersonable(m.user_id, m.status, i.actor_id)
       WHERE i.organization_id = app.org_id() AND i.id = p_id AND i.session_id = p_session AND i.user_id = p_user
         AND i.ends_at > now() AND app.may_impersonate(i.actor_id) $$;

    ${loadActor({ knowsImpersonation: true })}

    -- A trusted extension: whoever owns the database may create it.
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX users_search_name ON users ((lower(first_name || ' ' || last_name) COLLATE "C"), id);
    CREATE INDEX users_search_last_name ON users ((lower(last_name || ' ' || first_name) COLLATE "C"), id);
    CREATE INDEX users_search_email ON users ((email COLLATE "C"), id);
    CREATE INDEX users_search_trigrams ON users USING gin ((lower(first_name || ' ' || last_name)) gin_trgm_ops);
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    -- the extension stays: it may have been there before
    DROP INDEX users_search_trigrams, users_search_email, users_search_last_name, users_search_name;
    ${loadActor({ knowsImpersonation: false })}
    DROP FUNCTION app.impersonation(uuid, uuid, uuid);
    DROP FUNCTION app.may_impersonate(uuid);
    DROP FUNCTION app.impersonable(uuid, text, uuid);
    ALTER TABLE organizations DROP COLUMN impersonation_notices;
    DELETE FROM sessions WHERE impersonation_id IS NOT NULL;
    ALTER TABLE sessions DROP CONSTRAINT sessions_impersonation_somewhere, DROP COLUMN impersonation_id;
    DROP TABLE impersonations;
  `);

/** A session of an impersonation cannot write from here on, whatever its transaction was begun as. */
const READ_ONLY = `
             s.impersonation_id,
             CASE WHEN s.impersonation_id IS NOT NULL THEN set_config('transaction_read_only', 'on', true) END,`;
const OR_IMPERSONATED = `s.impersonation_id IS NOT NULL OR `;
const LOOK = `
        IF who.impersonation_id IS NOT NULL THEN
          impersonation := app.impersonation(who.impersonation_id, p_session, p_user);
          IF impersonation IS NULL THEN RETURN json_build_object('refusal', 'session_ended'); END IF;
        END IF;`;
const SHOWN = `
          'impersonation', impersonation,`;

/** As in 0013. */
const loadActor = ({ knowsImpersonation: knows }: { knowsImpersonation: boolean }): string => `
    CREATE OR REPLACE FUNCTION app.load_actor(p_session uuid, p_user uuid, p_token_org uuid, p_header_org uuid, p_timeout_ms int)
      RETURNS json LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      who record; is_admin boolean; regions json; ${knows ? 'impersonation json; ' : ''}answer json;
    BEGIN
      SELECT u.id, u.email, u.first_name, u.last_name, u.is_platform_admin, u.must_change_password, s.client,
             s.auth_method, s.confined, s.auth_time > now() - interval '15 minutes' AS is_recent,${knows ? READ_ONLY : ''}
             o.id AS organization_id, r.refusal,
             ${knows ? OR_IMPERSONATED : ''}EXISTS (SELECT FROM affiliations f WHERE f.user_id = u.id AND f.organization_id = o.id AND f.kind <> 'member') AS holds_office,
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
      IF who.holds_office THEN${knows ? LOOK : ''}
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
          'auth', json_build_object('method', who.auth_method, 'is_recent', who.is_recent, 'is_confined', who.confined),${knows ? SHOWN : ''}
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
