-- Intents to start or signal a process: written in the transaction of the change, dispatched after the commit. The
-- relay dispatches rows that a crash left behind.
CREATE TABLE outbox (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  -- null: the process concerns a person and belongs to no organization
  organization_id uuid REFERENCES organizations,
  process text NOT NULL,
  workflow_id text NOT NULL,
  input jsonb NOT NULL,
  signal text,
  request_id text,
  -- the trace that the intent belongs to (W3C traceparent); null while tracing is off
  traceparent text CHECK (length(traceparent) <= 55),
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  not_before timestamptz NOT NULL DEFAULT now(),
  dispatched_at timestamptz,
  cancelled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT outbox_cancelled_is_done CHECK (cancelled_at IS NULL OR dispatched_at IS NOT NULL)
);
CREATE INDEX outbox_waiting ON outbox (not_before, id) WHERE dispatched_at IS NULL;
CREATE INDEX outbox_done ON outbox (dispatched_at) WHERE dispatched_at IS NOT NULL;
CREATE INDEX outbox_not_started ON outbox (workflow_id) WHERE dispatched_at IS NULL OR cancelled_at IS NOT NULL;
