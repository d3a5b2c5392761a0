-- Requests for an account by people without one, who verify the address first.
CREATE TABLE account_requests (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid,
  -- null after the person was erased; the names are then erased as well
  email text CHECK (email = lower(btrim(email)) AND length(email) BETWEEN 3 AND 254),
  first_name text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 100),
  last_name text NOT NULL CHECK (length(last_name) BETWEEN 1 AND 100),
  phone_number text CHECK (length(phone_number) BETWEEN 1 AND 40),
  justification text NOT NULL CHECK (length(justification) BETWEEN 1 AND 2000),
  status text NOT NULL DEFAULT 'unverified'
    CHECK (status IN ('unverified','pending','approved','rejected','withdrawn')),
  token_hash text,
  token_expires_at timestamptz,
  -- the mailed token verifies the address once, and withdraws the request while it is pending
  withdrawal_hash text,
  verified_at timestamptz,
  reviewed_by uuid REFERENCES users,
  reviewed_at timestamptz,
  review_notes text CHECK (length(review_notes) <= 2000),
  mode text CHECK (mode IN ('create','link')),
  created_user_id uuid REFERENCES users,
  created_membership_id uuid,
  linked_user_id uuid REFERENCES users,
  -- The address that was linked to an account. Also null if the address already belonged to that account, because only
  -- the account's owner may know that.
  linked_email_id uuid REFERENCES user_emails ON DELETE SET NULL,
  undo_token_hash text,
  undo_until timestamptz,
  undone_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT account_requests_token CHECK ((status = 'unverified') = (token_hash IS NOT NULL)
    AND (token_hash IS NULL) = (token_expires_at IS NULL)),
  CONSTRAINT account_requests_verified CHECK (status IN ('unverified','withdrawn') OR verified_at IS NOT NULL),
  CONSTRAINT account_requests_reviewed CHECK (
    (status IN ('approved','rejected')) = (reviewed_at IS NOT NULL) AND (reviewed_at IS NULL) = (reviewed_by IS NULL)),
  CONSTRAINT account_requests_reason CHECK (status <> 'rejected' OR review_notes IS NOT NULL),
  CONSTRAINT account_requests_effect CHECK (
    (status = 'approved') = (mode IS NOT NULL)
    AND (mode = 'create') IS TRUE = (created_membership_id IS NOT NULL)
    AND (mode = 'link') IS TRUE = (linked_user_id IS NOT NULL)
    AND (created_user_id IS NULL OR mode = 'create') AND (linked_email_id IS NULL OR mode = 'link')),
  CONSTRAINT account_requests_undo CHECK ((undo_token_hash IS NULL) = (undo_until IS NULL)),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, created_membership_id) REFERENCES memberships (organization_id, id)
);
-- At most one open request per address: a repeated request returns the open one.
CREATE UNIQUE INDEX account_requests_open ON account_requests (organization_id, email)
  WHERE status IN ('unverified','pending');
CREATE INDEX account_requests_status ON account_requests (organization_id, status, id);
CREATE INDEX account_requests_token_hash ON account_requests (organization_id, token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX account_requests_undo_hash ON account_requests (organization_id, undo_token_hash)
  WHERE undo_token_hash IS NOT NULL;
CREATE INDEX account_requests_email ON account_requests (email) WHERE email IS NOT NULL;
CREATE INDEX account_requests_membership ON account_requests (organization_id, created_membership_id);
CREATE INDEX account_requests_linked ON account_requests (linked_user_id) WHERE linked_user_id IS NOT NULL;
CREATE INDEX account_requests_waiting ON account_requests (organization_id, chapter_id) WHERE status = 'pending';
CREATE INDEX account_requests_withdrawal ON account_requests (organization_id, withdrawal_hash)
  WHERE withdrawal_hash IS NOT NULL;
