-- Refunds, one row per charge and payment, and requests of officers for refunds above their cap.

CREATE TABLE refund_requests (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  invoice_id uuid NOT NULL,
  -- null: the invoice's newest payment
  payment_record_id uuid,
  -- null: the whole amount that is refundable when the request is approved
  amount_cents bigint CHECK (amount_cents > 0),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  reference text CHECK (length(reference) BETWEEN 1 AND 200),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending','approved','refused','withdrawn','expired')),
  requested_by uuid NOT NULL REFERENCES users,
  reviewed_by uuid REFERENCES users,
  reviewed_at timestamptz,
  review_notes text CHECK (length(review_notes) BETWEEN 1 AND 2000),
  closed_at timestamptz,
  -- when the reviewers were reminded
  reminded_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'pending') = (closed_at IS NULL)),
  CONSTRAINT refund_request_reviewed CHECK ((status IN ('approved','refused')) = (num_nonnulls(reviewed_by, reviewed_at) = 2)
    AND num_nonnulls(reviewed_by, reviewed_at) <> 1),
  CONSTRAINT refund_request_refused_says_why CHECK (status <> 'refused' OR review_notes IS NOT NULL),
  CONSTRAINT refund_request_not_own CHECK (reviewed_by <> requested_by),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id),
  FOREIGN KEY (organization_id, payment_record_id) REFERENCES payment_records (organization_id, id)
);
CREATE UNIQUE INDEX refund_requests_one_pending ON refund_requests (organization_id, invoice_id, requested_by)
  WHERE status = 'pending';
CREATE INDEX refund_requests_status ON refund_requests (organization_id, status, id);
CREATE INDEX refund_requests_of ON refund_requests (organization_id, requested_by, id);
CREATE INDEX refund_requests_pending ON refund_requests (id) WHERE status = 'pending';

-- Refunds. A refund is reserved before the provider is asked to make it; in the status processing, the provider may
-- have been asked.
CREATE TABLE refunds (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  invoice_id uuid NOT NULL,
  payment_record_id uuid NOT NULL,
  -- null: no charge exists, because payment and refund were made by hand
  capture_id uuid,
  request_id uuid,
  -- Whether the refund returns credit to the charge that it came from. Credit that is reserved for a refund cannot be
  -- spent.
  of_credit boolean NOT NULL DEFAULT false,
  -- the membership that holds the credit; null: the membership of the invoice's payer
  credit_membership_id uuid,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  status text NOT NULL CHECK (status IN ('reserved','processing','succeeded','failed')),
  -- whether the amount that becomes due again is waived
  waives boolean NOT NULL DEFAULT false,
  waiver_id uuid,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  reference text CHECK (length(reference) BETWEEN 1 AND 200),
  gateway_refund_id text CHECK (length(gateway_refund_id) BETWEEN 1 AND 200),
  failure_code text CHECK (length(failure_code) <= 100),
  requested_by uuid NOT NULL REFERENCES users,
  sent_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status IN ('reserved','processing')) = (finished_at IS NULL)),
  CHECK ((status = 'failed') = (failure_code IS NOT NULL)),
  CONSTRAINT refund_by_hand CHECK (capture_id IS NOT NULL OR (reference IS NOT NULL AND status = 'succeeded')),
  CONSTRAINT refund_waiver CHECK (waiver_id IS NULL OR waives),
  CONSTRAINT refund_of_credit CHECK (NOT of_credit OR (capture_id IS NOT NULL AND NOT waives AND request_id IS NULL)),
  CONSTRAINT refund_of_moved_credit CHECK (credit_membership_id IS NULL OR of_credit),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id),
  FOREIGN KEY (organization_id, payment_record_id) REFERENCES payment_records (organization_id, id),
  FOREIGN KEY (organization_id, capture_id) REFERENCES processor_captures (organization_id, id),
  FOREIGN KEY (organization_id, request_id) REFERENCES refund_requests (organization_id, id),
  FOREIGN KEY (organization_id, waiver_id) REFERENCES invoice_discounts (organization_id, id),
  CONSTRAINT refund_credit_membership FOREIGN KEY (organization_id, credit_membership_id)
    REFERENCES memberships (organization_id, id)
);
CREATE INDEX refunds_invoice ON refunds (organization_id, invoice_id, id);
CREATE INDEX refunds_payment ON refunds (organization_id, payment_record_id);
CREATE INDEX refunds_capture ON refunds (organization_id, capture_id) WHERE capture_id IS NOT NULL;
CREATE INDEX refunds_request ON refunds (organization_id, request_id) WHERE request_id IS NOT NULL;
-- Finds an officer's refunds made without a request, which count towards the officer's cap.
CREATE INDEX refunds_of_officer ON refunds (organization_id, requested_by, created_at) WHERE request_id IS NULL;
CREATE INDEX refunds_under_way ON refunds (id) WHERE finished_at IS NULL;
CREATE INDEX refunds_of_credit_under_way ON refunds (organization_id, payment_record_id)
  WHERE of_credit AND finished_at IS NULL;
CREATE INDEX refunds_of_moved_credit ON refunds (organization_id, credit_membership_id) WHERE credit_membership_id IS NOT NULL;
