CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  organization_id uuid,
  -- Number of organization switches in this session. An access token with another number is refused.
  switches integer NOT NULL DEFAULT 0,
  client text NOT NULL DEFAULT 'web' CHECK (client IN ('web', 'native')),
  user_agent text CHECK (length(user_agent) <= 300),
  ip_address text CHECK (length(ip_address) <= 60),
  auth_method text NOT NULL DEFAULT 'password' CHECK (auth_method IN ('password', 'passkey', 'saml', 'oauth')),
  auth_time timestamptz NOT NULL DEFAULT now(),
  -- true if an organization's identity provider began the session, which is then limited to that organization
  confined boolean NOT NULL DEFAULT false,
  -- The identity provider's connection that began the session. No foreign key, so that it stays known after the
  -- connection was removed.
  connection_id uuid,
  -- the provider's identifiers of the person and the session
  provider_name_id text CHECK (length(provider_name_id) BETWEEN 1 AND 1024),
  provider_name_attributes jsonb,
  provider_session text CHECK (length(provider_session) BETWEEN 1 AND 1024),
  provider_answered_at timestamptz,
  -- The impersonation that this session serves. No foreign key, because impersonations belong to a tenant and sessions
  -- do not; a missing row grants nothing.
  impersonation_id uuid,
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sessions_confined_somewhere CHECK (NOT confined OR organization_id IS NOT NULL),
  -- a provider sign-in always records when the provider answered
  CONSTRAINT sessions_provider_answered CHECK (auth_method NOT IN ('saml', 'oauth') OR provider_answered_at IS NOT NULL),
  CONSTRAINT sessions_impersonation_somewhere CHECK (impersonation_id IS NULL OR organization_id IS NOT NULL)
);
CREATE INDEX sessions_user ON sessions (user_id) WHERE revoked_at IS NULL;
-- devices that a person has signed in with before, including ended sessions
CREATE INDEX sessions_devices ON sessions (user_id, user_agent);
CREATE INDEX sessions_organization ON sessions (organization_id) WHERE revoked_at IS NULL;
CREATE INDEX sessions_connection ON sessions (connection_id) WHERE connection_id IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX sessions_provider_name ON sessions (connection_id, provider_name_id)
  WHERE provider_name_id IS NOT NULL AND revoked_at IS NULL;

-- a session's refresh tokens are one family: reuse of an old one revokes the session
CREATE TABLE refresh_tokens (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  -- the token that this one replaced; with it, a concurrent refresh can be distinguished from theft
  predecessor_id uuid,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX refresh_tokens_live_unique ON refresh_tokens (session_id) WHERE used_at IS NULL;

-- Per person and organization: sessions that were authenticated at or before cut_at can no longer enter the
-- organization.
CREATE TABLE session_cutoffs (
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  cut_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX session_cutoffs_user ON session_cutoffs (user_id);

-- sessions in which an organization admin impersonates a member
CREATE TABLE impersonations (
  -- id that the impersonating session's token carries as imp_sid
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations,
  membership_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  actor_id uuid NOT NULL REFERENCES users,
  -- the admin's own session, which continues afterwards
  actor_session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
  ends_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT impersonations_of_another CHECK (user_id <> actor_id)
);
CREATE INDEX impersonations_tenant ON impersonations (organization_id, created_at);
CREATE INDEX impersonations_membership ON impersonations (organization_id, membership_id);
CREATE INDEX impersonations_session ON impersonations (session_id);
CREATE INDEX impersonations_actor_session ON impersonations (actor_session_id);
