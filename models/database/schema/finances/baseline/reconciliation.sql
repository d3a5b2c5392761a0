-- Reconciliation: movements that providers list, daily runs that compare them with the books, and cases of differences.

CREATE TABLE reconciliations (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  processor_id uuid NOT NULL,
  day date NOT NULL,
  period_from timestamptz NOT NULL,
  period_to timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'listing' CHECK (status IN ('listing','comparing','compared','refused')),
  -- while listing: the provider's cursor; while comparing: the last compared charge
  cursor text CHECK (length(cursor) BETWEEN 1 AND 500),
  cases_opened integer NOT NULL DEFAULT 0 CHECK (cases_opened >= 0),
  finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT reconciliation_period CHECK (period_from < period_to),
  CONSTRAINT reconciliation_finished CHECK ((finished_at IS NOT NULL) = (status IN ('compared','refused'))),
  UNIQUE (organization_id, id),
  CONSTRAINT reconciliations_once UNIQUE (organization_id, processor_id, day),
  FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id)
);

CREATE TABLE gateway_movements (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  processor_id uuid NOT NULL,
  -- provider and movement id identify a movement, because two processors of the same account list the same movements
  provider text NOT NULL CHECK (length(provider) BETWEEN 1 AND 50),
  movement_id text NOT NULL CHECK (length(movement_id) BETWEEN 1 AND 200),
  kind text NOT NULL CHECK (kind IN ('captured','refunded','refund_failed','disputed','payout','other')),
  amount_cents bigint NOT NULL,
  fee_cents bigint NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
  moved_at timestamptz NOT NULL,
  intent_id text CHECK (length(intent_id) BETWEEN 1 AND 200),
  gateway_refund_id text CHECK (length(gateway_refund_id) BETWEEN 1 AND 200),
  -- the platform's ids in the metadata of the charge; empty if the charge was not made by the platform
  marks jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(marks) = 'object'),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT gateway_movements_once UNIQUE (organization_id, provider, movement_id),
  FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id)
);
CREATE INDEX gateway_movements_moved ON gateway_movements (organization_id, moved_at);
CREATE INDEX gateway_movements_charge ON gateway_movements (organization_id, intent_id) WHERE intent_id IS NOT NULL;

-- Money cases: differences between the books and a provider that wait for a decision.
CREATE TABLE money_cases (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  processor_id uuid,
  capture_id uuid,
  remittance_id uuid,
  refund_id uuid,
  settlement_id uuid,
  kind text NOT NULL CHECK (kind IN ('refund_unknown','dispute_unallocated','remittance_flagged',
    'refund_bounced','manual_refund_due','captured_not_recorded','recorded_not_captured','amount_differs','other')),
  -- the provider's id of the object that the case is about, or the id of our row if the provider has none
  gateway_object text NOT NULL CHECK (length(gateway_object) BETWEEN 1 AND 200),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- amount of the charge that remains after refunds, in the books and at the provider
  recorded_cents bigint,
  reported_cents bigint,
  moved_at timestamptz,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open','closed')),
  -- agreed: books and provider agree again, without a decision
  resolution text CHECK (resolution IN ('allocated','corrected','accepted','agreed')),
  note text CHECK (length(note) BETWEEN 1 AND 2000),
  closed_by uuid REFERENCES users,
  closed_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT case_closed CHECK (num_nonnulls(closed_at, resolution) = CASE status WHEN 'closed' THEN 2 ELSE 0 END),
  CONSTRAINT case_decided CHECK (num_nonnulls(closed_by, note) = CASE WHEN resolution <> 'agreed' THEN 2 ELSE 0 END),
  -- only cases of a charge have money to allocate
  CONSTRAINT case_of_charge CHECK ((capture_id IS NOT NULL) = (kind IN ('refund_unknown','dispute_unallocated'))),
  CONSTRAINT case_of_provider CHECK ((processor_id IS NULL) = (kind = 'manual_refund_due')),
  CONSTRAINT case_of_remittance CHECK ((remittance_id IS NOT NULL) = (kind = 'remittance_flagged')),
  CONSTRAINT case_of_refund CHECK (refund_id IS NULL OR kind = 'refund_bounced'),
  CONSTRAINT case_of_settlement CHECK ((settlement_id IS NOT NULL) = (kind = 'manual_refund_due')),
  CONSTRAINT case_of_difference CHECK (num_nonnulls(recorded_cents, reported_cents, moved_at)
    = CASE WHEN kind IN ('captured_not_recorded','recorded_not_captured','amount_differs','other') THEN 3 ELSE 0 END),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id),
  FOREIGN KEY (organization_id, capture_id) REFERENCES processor_captures (organization_id, id),
  FOREIGN KEY (organization_id, remittance_id) REFERENCES chapter_remittances (organization_id, id),
  FOREIGN KEY (organization_id, refund_id) REFERENCES refunds (organization_id, id),
  FOREIGN KEY (organization_id, settlement_id) REFERENCES terminal_settlements (organization_id, id)
);
CREATE UNIQUE INDEX money_cases_one_open ON money_cases (organization_id, capture_id) WHERE status = 'open';
CREATE INDEX money_cases_status ON money_cases (organization_id, status, id);
CREATE INDEX money_cases_kind ON money_cases (organization_id, kind, id);
CREATE UNIQUE INDEX money_cases_once ON money_cases (organization_id, processor_id, gateway_object, kind) NULLS NOT DISTINCT
  WHERE status = 'open';
CREATE INDEX money_cases_remittance ON money_cases (organization_id, remittance_id) WHERE remittance_id IS NOT NULL;
CREATE INDEX money_cases_refund ON money_cases (organization_id, refund_id) WHERE refund_id IS NOT NULL;
CREATE INDEX money_cases_settlement ON money_cases (organization_id, settlement_id) WHERE settlement_id IS NOT NULL;
CREATE INDEX money_cases_differences ON money_cases (organization_id, gateway_object, kind, id)
  WHERE kind IN ('captured_not_recorded','recorded_not_captured','amount_differs','other');
CREATE INDEX money_cases_moved ON money_cases (organization_id, moved_at) WHERE moved_at IS NOT NULL;
