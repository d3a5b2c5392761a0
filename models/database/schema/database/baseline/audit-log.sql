-- Audit log. The entries are permanent; values about people are stored beside them and can be erased with the person.
-- The foreign keys to people are added by identity/baseline/people.sql, because that table is created later.

CREATE TABLE audit_log (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  actor_user_id uuid,
  action text NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
  subject_type text NOT NULL,
  subject_id uuid,
  request_id text CHECK (length(request_id) <= 100),
  ip_address text CHECK (length(ip_address) <= 60),
  before jsonb,
  after jsonb,
  -- the person whom the before and after values describe; these values are stored in audit_values
  person_id uuid,
  -- number of people with values in audit_values when the entry was written
  people smallint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id)
);
CREATE INDEX audit_log_time ON audit_log (organization_id, created_at, id);
CREATE INDEX audit_log_actor ON audit_log (organization_id, actor_user_id, id);
CREATE INDEX audit_log_action ON audit_log (organization_id, action, id);
CREATE INDEX audit_log_request ON audit_log (organization_id, request_id) WHERE request_id IS NOT NULL;
-- One index finds the entries of a subject, the other the entries of a type of subject, both in id order. A single
-- index over type and subject could serve neither query.
CREATE INDEX audit_log_subject_id ON audit_log (organization_id, subject_id, id);
CREATE INDEX audit_log_subject_type ON audit_log (organization_id, subject_type, id);

CREATE TABLE audit_values (
  organization_id uuid NOT NULL,
  entry_id uuid NOT NULL,
  user_id uuid NOT NULL,
  -- IP address of the actor, or of the person concerned if the entry has no actor
  ip_address text CHECK (length(ip_address) <= 60),
  -- the values before and after the change that are personal data of this person
  before jsonb,
  after jsonb,
  PRIMARY KEY (organization_id, entry_id, user_id),
  -- The foreign key is checked at commit, because a trigger writes these rows before the log entry.
  FOREIGN KEY (organization_id, entry_id) REFERENCES audit_log (organization_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX audit_values_person ON audit_values (user_id, organization_id);

-- Audit log of the platform: changes that platform admins make under /api/platform/, and retries of processes that
-- belong to no organization. Its entries contain no values about people.
CREATE TABLE platform_audit_log (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  actor_user_id uuid,
  -- the organization that was changed; null: none
  organization_id uuid REFERENCES organizations,
  action text NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
  subject_type text NOT NULL,
  subject_id uuid,
  request_id text CHECK (length(request_id) <= 100),
  before jsonb,
  after jsonb,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX platform_audit_log_time ON platform_audit_log (created_at, id);
CREATE INDEX platform_audit_log_actor ON platform_audit_log (actor_user_id, id);
CREATE INDEX platform_audit_log_action ON platform_audit_log (action, id);
CREATE INDEX platform_audit_log_request ON platform_audit_log (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX platform_audit_log_subject_id ON platform_audit_log (subject_id, id);
CREATE INDEX platform_audit_log_subject_type ON platform_audit_log (subject_type, id);
