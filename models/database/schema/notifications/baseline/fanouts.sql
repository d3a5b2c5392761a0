-- A notification to an audience too large for one statement: a process creates the rows, batch by batch.
CREATE TABLE notification_fanouts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  notification_type text NOT NULL CHECK (notification_type ~ '^[a-z_]{1,100}$'),
  subject_id uuid NOT NULL,
  -- identifies the event that is notified, together with type and subject
  cause text NOT NULL CHECK (length(cause) BETWEEN 1 AND 100),
  actor_id uuid REFERENCES users,
  audience text NOT NULL CHECK (length(audience) BETWEEN 1 AND 100),
  -- id of the audience: a chapter, a forum
  audience_id uuid NOT NULL,
  -- position of the process: the last person for whom it created a notification
  reached_user_id uuid,
  expected integer NOT NULL CHECK (expected >= 0),
  reached integer NOT NULL DEFAULT 0 CHECK (reached >= 0),
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'cancelled')),
  closed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT notification_fanouts_once UNIQUE (organization_id, subject_id, notification_type, cause, audience, audience_id),
  CONSTRAINT notification_fanouts_closed CHECK ((status = 'running') = (closed_at IS NULL))
);
CREATE INDEX notification_fanouts_running ON notification_fanouts (id) WHERE status = 'running';
