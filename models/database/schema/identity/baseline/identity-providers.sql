-- Sign-in by an organization's identity provider: connections, flows, one-time codes and linked identities.

-- Sign-in by an organization's identity provider: connections, flows, one-time codes and linked identities.

CREATE TABLE sso_connections (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  kind text NOT NULL CHECK (kind IN ('saml', 'oauth')),
  slug text NOT NULL CHECK (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  provider text NOT NULL CHECK (provider IN ('saml', 'workspace', 'cloud_office', 'generic')),
  domains text[] NOT NULL DEFAULT '{}' CHECK (cardinality(domains) <= 50),
  is_active boolean NOT NULL DEFAULT true,
  auto_provision boolean NOT NULL DEFAULT false,
  -- auto-provisioned users become members of this chapter, in this status
  provision_chapter_id uuid,
  provision_status text NOT NULL DEFAULT 'undergrad'
    CHECK (provision_status IN ('undergrad', 'associate', 'alumni', 'active_alumni')),
  -- maximum session age without a new sign-in at the provider
  session_max_age_hours integer NOT NULL DEFAULT 168
    CONSTRAINT sso_connections_session_max_age CHECK (session_max_age_hours BETWEEN 1 AND 720),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT sso_connections_slug_unique UNIQUE (slug),
  CONSTRAINT sso_connections_kind CHECK ((kind = 'saml') = (provider = 'saml')),
  CONSTRAINT sso_connections_provision_where CHECK (NOT auto_provision OR provision_chapter_id IS NOT NULL)
);
CREATE INDEX sso_connections_domains ON sso_connections USING gin (domains);

CREATE TABLE oauth_configurations (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations,
  client_id text NOT NULL CHECK (length(client_id) BETWEEN 1 AND 300),
  client_secret_encrypted text NOT NULL,
  scopes text NOT NULL DEFAULT 'openid email profile' CHECK (length(scopes) <= 500),
  directory_id text CHECK (length(directory_id) <= 100),
  trust_directory_addresses boolean NOT NULL DEFAULT false
    CONSTRAINT oauth_configurations_trust CHECK (NOT trust_directory_addresses OR directory_id IS NOT NULL),
  issuer text CHECK (length(issuer) <= 500),
  authorization_url text CHECK (length(authorization_url) <= 500),
  token_url text CHECK (length(token_url) <= 500),
  userinfo_url text CHECK (length(userinfo_url) <= 500),
  jwks_uri text CHECK (length(jwks_uri) <= 500),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, id) REFERENCES sso_connections (organization_id, id) ON DELETE CASCADE
);

-- Links between accounts and identities at a provider. An identity is valid only through the connection that confirmed
-- it.
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

-- Sign-ins in progress. Handles and tokens are stored as digests only.
CREATE TABLE sso_flows (
  id uuid PRIMARY KEY,
  connection_id uuid NOT NULL REFERENCES sso_connections ON DELETE CASCADE,
  handle_hash text NOT NULL CONSTRAINT sso_flows_handle_unique UNIQUE CHECK (handle_hash ~ '^[A-Za-z0-9_-]{43}$'),
  request_id_hash text CONSTRAINT sso_flows_request_unique UNIQUE CHECK (request_id_hash ~ '^[A-Za-z0-9_-]{43}$'),
  platform text NOT NULL CHECK (platform IN ('web', 'native')),
  code_challenge text CHECK (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  browser_hash text NOT NULL CHECK (browser_hash ~ '^[A-Za-z0-9_-]{43}$'),
  reauthenticate boolean NOT NULL DEFAULT false,
  secrets_encrypted text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT sso_flows_native_challenge CHECK (platform = 'web' OR code_challenge IS NOT NULL)
);
CREATE INDEX sso_flows_expiry ON sso_flows (expires_at);

CREATE TABLE sso_codes (
  code_hash text PRIMARY KEY CHECK (code_hash ~ '^[A-Za-z0-9_-]{43}$'),
  connection_id uuid NOT NULL REFERENCES sso_connections ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  platform text NOT NULL CHECK (platform IN ('web', 'native')),
  code_challenge text,
  browser_hash text NOT NULL,
  -- data of the provider's answer, kept here until the session is created
  provider_name_id text CHECK (length(provider_name_id) BETWEEN 1 AND 1024),
  provider_name_attributes jsonb,
  provider_session text CHECK (length(provider_session) BETWEEN 1 AND 1024),
  authenticated_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT sso_codes_native_challenge CHECK (platform = 'web' OR code_challenge IS NOT NULL)
);
CREATE INDEX sso_codes_expiry ON sso_codes (expires_at);
CREATE INDEX sso_codes_provider_name ON sso_codes (connection_id, provider_name_id) WHERE provider_name_id IS NOT NULL;

-- reasons of refused SSO sign-ins, for the admins who configure SSO; without personal data
CREATE TABLE sso_refusals (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 50),
  -- the platform's name of the check that failed
  detail text CHECK (length(detail) BETWEEN 1 AND 100),
  request_id text NOT NULL CHECK (length(request_id) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES sso_connections (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX sso_refusals_connection ON sso_refusals (organization_id, connection_id, reason, created_at);
CREATE INDEX sso_refusals_age ON sso_refusals (organization_id, created_at);

-- processed logout tokens, kept until they expire (replay protection)
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
