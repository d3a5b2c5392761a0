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
-- one subject, whatever its type, and one type, both in the order of ids; an index over type and subject has neither
CREATE INDEX audit_log_subject_id ON audit_log (organization_id, subject_id, id);
CREATE INDEX audit_log_subject_type ON audit_log (organization_id, subject_type, id);
