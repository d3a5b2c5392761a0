-- Disputes of payments: what the provider reports about each, and its money movements.

CREATE TABLE payment_disputes (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  capture_id uuid NOT NULL,
  gateway_dispute_id text NOT NULL CHECK (length(gateway_dispute_id) BETWEEN 1 AND 200),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 100),
  -- the last decision that the provider reported, and when it was read
  decision text NOT NULL CHECK (decision IN ('none','won','lost')),
  evidence_due_at timestamptz,
  read_at timestamptz NOT NULL,
  -- the deadline of which the administrators were reminded
  reminded_for timestamptz,
  opened_at timestamptz NOT NULL,
  -- sums of the movements, maintained by app.add_dispute_movement
  withdrawn_cents bigint NOT NULL DEFAULT 0 CHECK (withdrawn_cents >= 0),
  reinstated_cents bigint NOT NULL DEFAULT 0 CHECK (reinstated_cents >= 0),
  fee_cents bigint NOT NULL DEFAULT 0,
  status text NOT NULL GENERATED ALWAYS AS (CASE
    WHEN withdrawn_cents > reinstated_cents THEN CASE decision WHEN 'lost' THEN 'lost' ELSE 'open' END
    WHEN reinstated_cents > 0 THEN 'won'
    WHEN decision = 'none' THEN 'open' ELSE decision END) STORED,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT disputes_once UNIQUE (organization_id, capture_id, gateway_dispute_id),
  FOREIGN KEY (organization_id, capture_id) REFERENCES processor_captures (organization_id, id)
);
CREATE INDEX disputes_of_organization ON payment_disputes (organization_id, status, id);
CREATE INDEX disputes_to_remind ON payment_disputes (organization_id, evidence_due_at) WHERE status = 'open';

CREATE TABLE payment_dispute_movements (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  dispute_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('withdrawn','reinstated','fee')),
  -- negative for a fee that was refunded
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0 AND (kind = 'fee' OR amount_cents > 0)),
  gateway_movement_id text NOT NULL CHECK (length(gateway_movement_id) BETWEEN 1 AND 200),
  moved_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  -- A single movement at the provider may contain both money and a fee; each is one row.
  CONSTRAINT dispute_movements_once UNIQUE (organization_id, dispute_id, gateway_movement_id, kind),
  FOREIGN KEY (organization_id, dispute_id) REFERENCES payment_disputes (organization_id, id)
);
