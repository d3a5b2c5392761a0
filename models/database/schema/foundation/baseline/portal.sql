-- How a donor signs in to their own pages without an account: links by mail, and the sessions that the links open. Both
-- are deleted when they end: a link when it is used, a session when the donor signs out. The hourly cleanup deletes
-- those that have expired.

CREATE TABLE donor_links (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  donor_id uuid NOT NULL,
  -- SHA-256 of the token in the mail
  token_hash text NOT NULL CHECK (length(token_hash) = 43),
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT donor_links_token_unique UNIQUE (organization_id, token_hash),
  FOREIGN KEY (organization_id, donor_id) REFERENCES donors (organization_id, id)
);
CREATE INDEX donor_links_donor ON donor_links (organization_id, donor_id);
CREATE INDEX donor_links_expired ON donor_links (expires_at);

CREATE TABLE donor_sessions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  donor_id uuid NOT NULL,
  -- SHA-256 of the token in the cookie
  token_hash text NOT NULL CHECK (length(token_hash) = 43),
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT donor_sessions_token_unique UNIQUE (organization_id, token_hash),
  FOREIGN KEY (organization_id, donor_id) REFERENCES donors (organization_id, id)
);
CREATE INDEX donor_sessions_donor ON donor_sessions (organization_id, donor_id);
CREATE INDEX donor_sessions_expired ON donor_sessions (expires_at);
