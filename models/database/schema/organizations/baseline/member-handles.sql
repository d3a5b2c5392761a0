-- Unique user names of an organization's people, by which forum texts mention them. A trigger of affiliations adds a row;
-- it stays when the person leaves, so that old mentions keep their meaning, until the person is erased.
CREATE TABLE member_handles (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL REFERENCES users,
  handle text COLLATE "C" NOT NULL CONSTRAINT member_handles_form CHECK (handle ~ '^[a-z0-9._-]{3,30}$'),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT member_handles_person UNIQUE (organization_id, user_id),
  CONSTRAINT member_handles_unique UNIQUE (organization_id, handle)
);
CREATE INDEX member_handles_user ON member_handles (user_id);
