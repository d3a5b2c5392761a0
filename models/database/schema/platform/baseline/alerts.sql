-- Alerts of the platform's operators to everybody, or to all admins. A process goes through the organizations.
CREATE TABLE platform_alerts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200 AND title !~ '[[:cntrl:]]'),
  body text NOT NULL CHECK (length(body) BETWEEN 1 AND 500),
  audience text NOT NULL CHECK (audience IN ('admins', 'everyone')),
  created_by uuid REFERENCES users,
  -- identifies a repeated request, which returns the existing alert
  idempotency_key text CHECK (idempotency_key ~ '^[!-~]{1,100}$'),
  -- position of the process: the last organization that it notified
  reached_organization_id uuid,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'cancelled', 'stopped_right_lost')),
  closed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT platform_alerts_once UNIQUE (created_by, idempotency_key),
  CONSTRAINT platform_alerts_closed CHECK ((status = 'running') = (closed_at IS NULL))
);
CREATE INDEX platform_alerts_running ON platform_alerts (id) WHERE status = 'running';
