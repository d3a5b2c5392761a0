CREATE TABLE invitations (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- the placeholder of the invited person
  user_id uuid NOT NULL REFERENCES users,
  membership_id uuid,
  organization_admin_id uuid,
  regional_admin_id uuid,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'declined', 'withdrawn')),
  token_hash text,
  -- when the invitation was mailed; null: the address had already received its one mail of the day
  mailed_at timestamptz,
  expires_at timestamptz NOT NULL,
  invited_by uuid REFERENCES users,
  closed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT invitations_one_subject CHECK (num_nonnulls(membership_id, organization_admin_id, regional_admin_id) = 1),
  CONSTRAINT invitations_closed CHECK ((state = 'open') = (closed_at IS NULL)),
  -- a closed invitation has no token
  CONSTRAINT invitations_token CHECK ((state = 'open') = (token_hash IS NOT NULL)),
  UNIQUE (organization_id, id),
  CONSTRAINT invitations_membership_unique UNIQUE (organization_id, membership_id),
  CONSTRAINT invitations_organization_admin_unique UNIQUE (organization_id, organization_admin_id),
  CONSTRAINT invitations_regional_admin_unique UNIQUE (organization_id, regional_admin_id),
  FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, organization_admin_id)
    REFERENCES organization_admins (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, regional_admin_id) REFERENCES regional_admins (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX invitations_person ON invitations (organization_id, user_id);
CREATE INDEX invitations_user ON invitations (user_id) WHERE state = 'open';
CREATE INDEX invitations_token_hash ON invitations (token_hash) WHERE token_hash IS NOT NULL;

-- at most one mail a day to an address without an account
CREATE TABLE invitation_mails (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- A digest of the address, so that a person who declined and was erased is still not mailed again on the same day.
  address_hash text NOT NULL,
  mailed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT invitation_mails_unique UNIQUE (organization_id, address_hash)
);
CREATE INDEX invitation_mails_age ON invitation_mails (organization_id, mailed_at);
