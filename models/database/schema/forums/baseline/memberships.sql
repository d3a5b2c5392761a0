-- People of forums, one row per forum and person. Invitations and requests to join are states of this row.
CREATE TABLE forum_memberships (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  forum_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  role text NOT NULL DEFAULT 'member' CHECK (role IN ('member','moderator','admin')),
  status text NOT NULL
    CHECK (status IN ('active','invited','declined','requested','rejected','left','removed','ended')),
  status_since timestamptz NOT NULL DEFAULT now(),
  -- An invited member must stand in the organization, any other member in the scope of the forum.
  by_invitation boolean NOT NULL DEFAULT false,
  invited_by uuid REFERENCES users,
  invitation_expires_at timestamptz,
  -- what the person wrote with the request to join
  message text CHECK (length(message) BETWEEN 1 AND 1000),
  decided_by uuid REFERENCES users,
  note text CHECK (length(note) BETWEEN 1 AND 1000),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT forum_memberships_person UNIQUE (organization_id, forum_id, user_id),
  CONSTRAINT forum_memberships_invitation CHECK ((status = 'invited') = (invitation_expires_at IS NOT NULL)),
  FOREIGN KEY (organization_id, forum_id) REFERENCES forums (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX forum_memberships_list ON forum_memberships (organization_id, forum_id, status, status_since, id);
CREATE INDEX forum_memberships_admins ON forum_memberships (organization_id, forum_id)
  WHERE role = 'admin' AND status = 'active';
CREATE INDEX forum_memberships_user ON forum_memberships (organization_id, user_id, forum_id);
