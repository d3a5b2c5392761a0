import { isolate, TIMES, touched } from '../isolation.js';
import type { Migration } from '../migrate.js';

const SLUG = `'^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'`;
const HASH = (column: string): string => `${column} ~ '^[A-Za-z0-9_-]{43}$'`;

/** Sign-in by an organization's identity provider: connections, flows, one-time codes and linked identities. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    CREATE TABLE sso_connections (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      kind text NOT NULL CHECK (kind IN ('saml', 'oauth')),
      slug text NOT NULL CHECK (slug ~ ${SLUG}),
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      provider text NOT NULL CHECK (provider IN ('saml', 'workspace', 'cloud_office', 'generic')),
      domains text[] NOT NULL DEFAULT '{}' CHECK (cardinality(domains) <= 50),
      is_active boolean NOT NULL DEFAULT true,
      auto_provision boolean NOT NULL DEFAULT false,
      -- what somebody new becomes: a member of this chapter, in this status
      provision_chapter_id uuid,
      provision_status text NOT NULL DEFAULT 'undergrad'
        CHECK (provision_status IN ('undergrad', 'associate', 'alumni', 'active_alumni')),
      version integer NOT NULL DEFAULT 1,
      ${TIMES},
      UNIQUE (organization_id, id),
      CONSTRAINT sso_connections_slug_unique UNIQUE (slug),
      CONSTRAINT sso_connections_kind CHECK ((kind = 'saml') = (provider = 'saml')),
      CONSTRAINT sso_connections_provision_where CHECK (NOT auto_provision OR provision_chapter_id IS NOT NULL),
      CONSTRAINT sso_connections_provision_chapter
        FOREIGN KEY (organization_id, provision_chapter_id) REFERENCES chapters (organization_id, id)
    );
    CREATE INDEX sso_connections_domains ON sso_connections USING gin (domains);
    ${touched('sso_connections')}
    -- looked up by slug before a tenant is known, changed only from inside it
    ALTER TABLE sso_connections ENABLE ROW LEVEL SECURITY;
    CREATE POLICY look_up ON sso_connections FOR SELECT TO ${runtime} USING (true);
    CREATE POLICY add_own ON sso_connections FOR INSERT TO ${runtime} WITH CHECK (organization_id = (SELECT app.org_id()));
    CREATE POLICY change_own ON sso_connections FOR UPDATE TO ${runtime} USING (organization_id = (SELECT app.org_id()));
    CREATE POLICY remove_own ON sso_connections FOR DELETE TO ${runtime} USING (organization_id = (SELECT app.org_id()));
    GRANT SELECT, INSERT, UPDATE, DELETE ON sso_connections TO ${runtime};

    CREATE TABLE oauth_configurations (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL REFERENCES organizations,
      client_id text NOT NULL CHECK (length(client_id) BETWEEN 1 AND 300),
      client_secret_encrypted text NOT NULL,
      scopes text NOT NULL DEFAULT 'openid email profile' CHECK (length(scopes) <= 500),
      directory_id text CHECK (length(directory_id) <= 100),
      issuer text CHECK (length(issuer) <= 500),
      authorization_url text CHECK (length(authorization_url) <= 500),
      token_url text CHECK (length(token_url) <= 500),
      userinfo_url text CHECK (length(userinfo_url) <= 500),
      jwks_uri text CHECK (length(jwks_uri) <= 500),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, id) REFERENCES sso_connections (organization_id, id) ON DELETE CASCADE
    );
    ${isolate('oauth_configurations', runtime)}

    -- a person's way in belongs to the account; each is bound to the connection that vouched for it
    CREATE TABLE sso_identities (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL,
      connection_id uuid NOT NULL,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      issuer text NOT NULL CHECK (length(issuer) BETWEEN 1 AND 1024),
      subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 1024),
      created_at timestamptz NOT NULL DEFAULT now(),
      last_used_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT sso_identities_unique UNIQUE (connection_id, issuer, subject),
      FOREIGN KEY (organization_id, connection_id) REFERENCES sso_connections (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX sso_identities_user ON sso_identities (user_id);

    -- handles and tokens are digests: what a caller has to show is nowhere stored
    CREATE TABLE sso_flows (
      id uuid PRIMARY KEY,
      connection_id uuid NOT NULL REFERENCES sso_connections ON DELETE CASCADE,
      handle_hash text NOT NULL CONSTRAINT sso_flows_handle_unique UNIQUE CHECK (${HASH('handle_hash')}),
      request_id_hash text CONSTRAINT sso_flows_request_unique UNIQUE CHECK (${HASH('request_id_hash')}),
      platform text NOT NULL CHECK (platform IN ('web', 'native')),
      code_challenge text CHECK (${HASH('code_challenge')}),
      browser_hash text NOT NULL CHECK (${HASH('browser_hash')}),
      reauthenticate boolean NOT NULL DEFAULT false,
      secrets_encrypted text,
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL,
      CONSTRAINT sso_flows_native_challenge CHECK (platform = 'web' OR code_challenge IS NOT NULL)
    );
    CREATE INDEX sso_flows_expiry ON sso_flows (expires_at);

    CREATE TABLE sso_codes (
      code_hash text PRIMARY KEY CHECK (${HASH('code_hash')}),
      connection_id uuid NOT NULL REFERENCES sso_connections ON DELETE CASCADE,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      platform text NOT NULL CHECK (platform IN ('web', 'native')),
      code_challenge text,
      browser_hash text NOT NULL,
      authenticated_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL,
      CONSTRAINT sso_codes_native_challenge CHECK (platform = 'web' OR code_challenge IS NOT NULL)
    );
    CREATE INDEX sso_codes_expiry ON sso_codes (expires_at);
    GRANT SELECT, INSERT, UPDATE, DELETE ON sso_identities, sso_flows, sso_codes TO ${runtime};
  `);

export const down: Migration['down'] = async ({ run }) =>
  run('DROP TABLE sso_codes, sso_flows, sso_identities, oauth_configurations, sso_connections');
