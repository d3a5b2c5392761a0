import type { Migration } from '../migrate.js';

/** Sessions that an organization ended do not come back from elsewhere, and none outlives the word that it rests on. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    -- since when a person has to have proven themselves to bring a session into an organization
    CREATE TABLE session_cutoffs (
      organization_id uuid NOT NULL REFERENCES organizations,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      cut_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, user_id)
    );
    CREATE INDEX session_cutoffs_user ON session_cutoffs (user_id);
    GRANT SELECT, INSERT, UPDATE, DELETE ON session_cutoffs TO ${runtime};

    -- whatever makes a session longer, it does not outlast its provider's word
    CREATE FUNCTION app.bound_by_provider() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.expires_at := least(NEW.expires_at, app.provider_due_at(NEW.provider_answered_at, NEW.connection_id));
      RETURN NEW;
    END $$;
    CREATE TRIGGER sessions_bound_by_provider
      BEFORE INSERT OR UPDATE OF expires_at, provider_answered_at, connection_id ON sessions FOR EACH ROW
      WHEN (NEW.provider_answered_at IS NOT NULL) EXECUTE FUNCTION app.bound_by_provider();
    UPDATE sessions SET expires_at = expires_at WHERE provider_answered_at IS NOT NULL AND revoked_at IS NULL;

    ${impersonation(`AND own.expires_at > now()`)}
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    ${impersonation('')}
    DROP TRIGGER sessions_bound_by_provider ON sessions;
    DROP FUNCTION app.bound_by_provider();
    DROP TABLE session_cutoffs;
  `);

/** That of 0015, which ends with the session that it was begun from. */
const impersonation = (ownStands: string): string => `
    CREATE OR REPLACE FUNCTION app.impersonation(p_id uuid, p_session uuid, p_user uuid) RETURNS json LANGUAGE sql STABLE AS $$
      SELECT json_build_object('id', i.id, 'actor_id', i.actor_id, 'organization_id', i.organization_id,
                               'ends_at', i.ends_at, 'deadline', extract(epoch FROM i.ends_at)::bigint)
        FROM impersonations i
        JOIN sessions own ON own.id = i.actor_session_id AND own.user_id = i.actor_id AND own.revoked_at IS NULL ${ownStands}
        JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id AND m.user_id = i.user_id
       CROSS JOIN LATERAL app.impersonable(m.user_id, m.status, i.actor_id)
       WHERE i.organization_id = app.org_id() AND i.id = p_id AND i.session_id = p_session AND i.user_id = p_user
         AND i.ends_at > now() AND app.may_impersonate(i.actor_id) $$;`;
