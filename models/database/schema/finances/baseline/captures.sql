-- Captures: money that a processor reports as taken. A row is written once per payment intent, by the first process
-- that learns of the money.
CREATE TABLE processor_captures (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  processor_id uuid NOT NULL,
  intent_id text NOT NULL CHECK (intent_id <> ''),
  remittance_id uuid,
  invoice_id uuid,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text CHECK (currency ~ '^[a-z]{3}$'),
  refunded_cents bigint NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  -- money that open disputes withhold, summed from the movements of the disputes
  withdrawn_cents bigint NOT NULL DEFAULT 0 CHECK (withdrawn_cents >= 0),
  -- Part of refunded_cents that disputes took. If the disputes withhold more than this, the rest has not been charged
  -- to any payment yet.
  disputed_cents bigint NOT NULL DEFAULT 0,
  -- Part of earlier refunds that failed. refunded_cents may decrease only by the amount by which this column increases.
  refund_failed_cents bigint NOT NULL DEFAULT 0 CHECK (refund_failed_cents >= 0),
  -- When the platform last asked the provider for the refunds of this charge. Once set, webhook events about its
  -- refunds are ignored.
  refunds_read_at timestamptz,
  disposition text NOT NULL CHECK (disposition IN ('recorded','flagged','resolved')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (remittance_id IS NULL OR invoice_id IS NULL),
  CONSTRAINT capture_disputed_within CHECK (disputed_cents BETWEEN 0 AND refunded_cents),
  CONSTRAINT captures_recorded_for_something
    CHECK (remittance_id IS NOT NULL OR invoice_id IS NOT NULL OR disposition <> 'recorded'),
  UNIQUE (organization_id, id),
  CONSTRAINT captures_intent_unique UNIQUE (organization_id, processor_id, intent_id),
  FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id),
  FOREIGN KEY (organization_id, remittance_id) REFERENCES chapter_remittances (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id)
);
CREATE INDEX captures_remittance ON processor_captures (organization_id, remittance_id) WHERE remittance_id IS NOT NULL;
CREATE INDEX captures_unmatched ON processor_captures (organization_id, id)
  WHERE remittance_id IS NULL AND invoice_id IS NULL;
CREATE INDEX captures_flagged_of_processor ON processor_captures (organization_id, processor_id)
  WHERE disposition = 'flagged';
CREATE INDEX captures_recorded ON processor_captures (organization_id, processor_id, created_at);

-- An administrator's decision on money that matched no payment. A refund is committed here before the provider is asked
-- to make it.
CREATE TABLE capture_resolutions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  capture_id uuid NOT NULL,
  resolution text NOT NULL CHECK (resolution IN ('refund','keep_as_credit')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  status text NOT NULL CHECK (status IN ('pending','done','failed')),
  chapter_id uuid,
  membership_id uuid,
  note text NOT NULL CHECK (length(note) BETWEEN 1 AND 2000),
  gateway_refund_id text CHECK (length(gateway_refund_id) BETWEEN 1 AND 200),
  failure_code text CHECK (length(failure_code) <= 100),
  -- Null: the process of a pledge refunds a charge that succeeded after the pledge was cancelled.
  requested_by uuid REFERENCES users,
  finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'pending') = (finished_at IS NULL)),
  CHECK ((status = 'failed') = (failure_code IS NOT NULL)),
  CONSTRAINT resolution_payer CHECK ((resolution = 'keep_as_credit') = (chapter_id IS NOT NULL)
    AND (membership_id IS NULL OR chapter_id IS NOT NULL)),
  CONSTRAINT resolution_kept_at_once CHECK (resolution = 'refund' OR status = 'done'),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, capture_id) REFERENCES processor_captures (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
);
-- At most one decision about a capture is pending, so two concurrent decisions become one. After a refund has failed, a
-- new decision can be made.
CREATE UNIQUE INDEX resolutions_one_pending ON capture_resolutions (organization_id, capture_id) WHERE status = 'pending';
-- A capture is kept as credit by at most one decision. If a refund of the capture fails later, the credit is restored
-- under the same decision; triggers limit the credit to the money that is left.
CREATE UNIQUE INDEX resolutions_kept_once ON capture_resolutions (organization_id, capture_id)
  WHERE resolution = 'keep_as_credit';
CREATE INDEX resolutions_capture ON capture_resolutions (organization_id, capture_id, id);
CREATE INDEX resolutions_pending ON capture_resolutions (id) WHERE status = 'pending';
