-- Linked accounts of the professional network, and the flows that link them.

-- Linked accounts of the professional network, and the flows that link them.

CREATE TABLE social_accounts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  provider text NOT NULL CHECK (provider IN ('linkedin')),
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  name text CHECK (length(name) BETWEEN 1 AND 200),
  email text CHECK (length(email) BETWEEN 3 AND 254),
  access_token_encrypted text NOT NULL,
  refresh_token_encrypted text,
  token_expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT social_accounts_user_provider_unique UNIQUE (user_id, provider),
  -- a network account belongs to one person: two people sharing it could act for each other
  CONSTRAINT social_accounts_provider_subject_unique UNIQUE (provider, subject)
);

-- Flows that link an account, valid for ten minutes and one use. Only a digest of the state is stored; the browser or
-- app keeps the state itself.
CREATE TABLE social_link_flows (
  state_hash text PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  platform text NOT NULL CHECK (platform IN ('web', 'native')),
  redirect_uri text NOT NULL,
  code_challenge text CHECK (length(code_challenge) = 43),
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT social_link_flows_native_proves CHECK (platform = 'web' OR code_challenge IS NOT NULL)
);
CREATE INDEX social_link_flows_user ON social_link_flows (user_id);
CREATE INDEX social_link_flows_expiry ON social_link_flows (expires_at);
