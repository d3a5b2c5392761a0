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

    ALTER TABLE saml_configurations
      ADD COLUMN third_certificate_encrypted text,
      -- where the provider publishes its certificates, and how asking there went
      ADD COLUMN metadata_url text CHECK (length(metadata_url) BETWEEN 1 AND 1000),
      ADD COLUMN last_refreshed_at timestamptz,
      ADD COLUMN last_refresh_error text CHECK (length(last_refresh_error) BETWEEN 1 AND 100),
      ADD COLUMN refresh_failing_since timestamptz,
      ADD COLUMN refresh_warned_at timestamptz,
      ADD CONSTRAINT saml_configurations_refresh
        CHECK ((last_refresh_error IS NULL) = (refresh_failing_since IS NULL)
          AND (metadata_url IS NOT NULL OR (last_refreshed_at IS NULL AND last_refresh_error IS NULL)));

    -- ours, for assertions that are encrypted for us: the one of the metadata, and those before it until their date
    CREATE TABLE saml_encryption_keys (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL,
      configuration_id uuid NOT NULL,
      certificate text NOT NULL,
      private_key_encrypted text NOT NULL,
      retires_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      FOREIGN KEY (organization_id, configuration_id) REFERENCES saml_configurations (organization_id, id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX saml_encryption_keys_current ON saml_encryption_keys (organization_id, configuration_id)
      WHERE retires_at IS NULL;
    CREATE INDEX saml_encryption_keys_configuration ON saml_encryption_keys (organization_id, configuration_id);
    ${isolate('saml_encryption_keys', runtime)}

    -- nobody is warned twice
    CREATE TABLE saml_certificate_warnings (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL,
      configuration_id uuid NOT NULL,
      fingerprint text NOT NULL CHECK (length(fingerprint) BETWEEN 1 AND 100),
      days integer NOT NULL CHECK (days IN (30, 7)),
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT saml_certificate_warnings_unique UNIQUE (organization_id, configuration_id, fingerprint, days),
      FOREIGN KEY (organization_id, configuration_id) REFERENCES saml_configurations (organization_id, id) ON DELETE CASCADE
    );
    ${isolate('saml_certificate_warnings', runtime)}
    REVOKE UPDATE ON saml_certificate_warnings FROM ${runtime};
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    DROP TABLE saml_certificate_warnings;
    DROP TABLE saml_encryption_keys;
    ALTER TABLE saml_configurations DROP COLUMN third_certificate_encrypted, DROP COLUMN metadata_url,
      DROP COLUMN last_refreshed_at, DROP COLUMN last_refresh_error, DROP COLUMN refresh_failing_since,
      DROP COLUMN refresh_warned_at;
    ALTER TABLE oauth_configurations DROP COLUMN trust_directory_addresses;
    DROP TABLE verified_domains;
    DROP TABLE oidc_logout_tokens;
    DROP FUNCTION app.provider_due_at(timestamptz, uuid);
    ALTER TABLE sessions DROP COLUMN provider_answered_at;
    ALTER TABLE sso_connections DROP COLUMN session_max_age_hours;
  `);
