import { isolate } from '../isolation.js';
import type { Migration } from '../migrate.js';

/** What universities need of sign-in: the provider's word wears off, and the provider can take it back. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    -- how long a session goes on without a new answer of the provider
    ALTER TABLE sso_connections ADD COLUMN session_max_age_hours integer NOT NULL DEFAULT 168
      CONSTRAINT sso_connections_session_max_age CHECK (session_max_age_hours BETWEEN 1 AND 720);

    ALTER TABLE sessions ADD COLUMN provider_answered_at timestamptz;
    UPDATE sessions SET provider_answered_at = created_at WHERE auth_method IN ('saml', 'oauth');
    -- no way of signing in by a provider forgets when that was
    ALTER TABLE sessions ADD CONSTRAINT sessions_provider_answered
      CHECK (auth_method NOT IN ('saml', 'oauth') OR provider_answered_at IS NOT NULL);

    -- when a session has to sign in at its provider again; null: never
    CREATE FUNCTION app.provider_due_at(p_answered_at timestamptz, p_connection uuid) RETURNS timestamptz
      LANGUAGE sql STABLE AS $$
      SELECT p_answered_at + interval '1 hour' * coalesce(
        (SELECT session_max_age_hours FROM sso_connections WHERE id = p_connection), 168)
    $$;

    -- logout tokens that were acted on, until nobody would accept them any more
    CREATE TABLE oidc_logout_tokens (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL,
      connection_id uuid NOT NULL,
      token_hash text NOT NULL,
      expires_at timestamptz NOT NULL,
      CONSTRAINT oidc_logout_tokens_unique UNIQUE (organization_id, connection_id, token_hash),
      FOREIGN KEY (organization_id, connection_id) REFERENCES oauth_configurations (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX oidc_logout_tokens_expiry ON oidc_logout_tokens (organization_id, expires_at);
    ${isolate('oidc_logout_tokens', runtime)}

    -- what a platform admin has seen to be an organization's: its directory is believed about these addresses
    CREATE TABLE verified_domains (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      domain text NOT NULL CHECK (domain = lower(domain) AND length(domain) BETWEEN 4 AND 253),
      verified_at timestamptz NOT NULL DEFAULT now(),
      verified_by uuid REFERENCES users ON DELETE SET NULL,
      CONSTRAINT verified_domains_unique UNIQUE (organization_id, domain)
    );
    ${isolate('verified_domains', runtime)}
    REVOKE UPDATE ON verified_domains FROM ${runtime};
    ALTER TABLE oauth_configurations ADD COLUMN trust_directory_addresses boolean NOT NULL DEFAULT false
      CONSTRAINT oauth_configurations_trust CHECK (NOT trust_directory_addresses OR directory_id IS NOT NULL);
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    ALTER TABLE oauth_configurations DROP COLUMN trust_directory_addresses;
    DROP TABLE verified_domains;
    DROP TABLE oidc_logout_tokens;
    DROP FUNCTION app.provider_due_at(timestamptz, uuid);
    ALTER TABLE sessions DROP COLUMN provider_answered_at;
    ALTER TABLE sso_connections DROP COLUMN session_max_age_hours;
  `);
