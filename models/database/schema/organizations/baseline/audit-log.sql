CREATE TABLE audit_log (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  actor_user_id uuid REFERENCES users,
  action text NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
  subject_type text NOT NULL,
  subject_id uuid,
  request_id text CHECK (length(request_id) <= 100),
  ip_address text CHECK (length(ip_address) <= 60),
  before jsonb,
  after jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id)
);
CREATE INDEX audit_log_time ON audit_log (organization_id, created_at, id);
CREATE INDEX audit_log_actor ON audit_log (organization_id, actor_user_id, id);
CREATE INDEX audit_log_action ON audit_log (organization_id, action, id);
CREATE INDEX audit_log_request ON audit_log (organization_id, request_id) WHERE request_id IS NOT NULL;
-- by subject of any type, and by type, both in id order; one index over type and subject would serve neither
CREATE INDEX audit_log_subject_id ON audit_log (organization_id, subject_id, id);
CREATE INDEX audit_log_subject_type ON audit_log (organization_id, subject_type, id);
