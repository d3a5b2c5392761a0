-- Bulk actions on processes: a process retries or cancels the targets one after another. The targets never change.
CREATE TABLE process_bulk_actions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  action text NOT NULL CHECK (action IN ('retry','cancel')),
  reason text NOT NULL CHECK (length(reason) BETWEEN 3 AND 500),
  requested_by uuid NOT NULL REFERENCES users,
  -- who sees the kinds of the targets; only a person with all of these roles sees the action
  audiences text[] NOT NULL CHECK (audiences <@ ARRAY['organization','foundation','platform'] AND cardinality(audiences) > 0),
  -- digest of the action and its targets, and the hash of the preview that was confirmed
  targets_digest text NOT NULL,
  preview_hash text NOT NULL,
  targets_total integer NOT NULL CHECK (targets_total BETWEEN 1 AND 1000),
  status text NOT NULL DEFAULT 'running'
    CHECK (status IN ('running','stopping','done','stopped','stopped_right_lost')),
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status IN ('running','stopping')) = (ended_at IS NULL)),
  UNIQUE (organization_id, id),
  CONSTRAINT bulk_actions_one_per_preview UNIQUE (organization_id, preview_hash)
);
CREATE INDEX bulk_actions_same_targets ON process_bulk_actions (organization_id, targets_digest);
CREATE INDEX bulk_actions_under_way ON process_bulk_actions (id) WHERE ended_at IS NULL;

CREATE TABLE process_bulk_action_targets (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  bulk_action_id uuid NOT NULL,
  sequence integer NOT NULL CHECK (sequence BETWEEN 1 AND 1000),
  workflow_id text NOT NULL CHECK (length(workflow_id) BETWEEN 1 AND 1000),
  -- set in the transaction that writes the audit entry: the process is retried or cancelled at most once
  claimed_at timestamptz,
  outcome text CHECK (outcome IN ('completed','progressed','attempted_and_failed','attempting','not_attempted_yet',
    'cancelled','cancelling','unknown','refused','gone')),
  -- why the process was not retried or cancelled
  refusal_code text CHECK (length(refusal_code) BETWEEN 1 AND 100),
  finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((outcome IS NULL) = (finished_at IS NULL)),
  CHECK ((refusal_code IS NOT NULL) = (outcome IS NOT DISTINCT FROM 'refused')),
  CONSTRAINT bulk_action_observed CHECK (outcome IS NULL OR outcome IN ('refused','gone') OR claimed_at IS NOT NULL),
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, bulk_action_id, sequence),
  UNIQUE (organization_id, bulk_action_id, workflow_id),
  FOREIGN KEY (organization_id, bulk_action_id) REFERENCES process_bulk_actions (organization_id, id)
);
