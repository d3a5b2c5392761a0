-- Payments: a chapter's remittances, payment attempts, payments of invoices, and a remittance's allocations.

-- Payments: a chapter's remittances, payment attempts, payments of invoices, and a remittance's allocations.

CREATE TABLE chapter_remittances (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  created_by uuid NOT NULL REFERENCES users,
  currency text NOT NULL DEFAULT 'usd' CHECK (currency ~ '^[a-z]{3}$'),
  total_cents bigint NOT NULL CHECK (total_cents > 0),
  processor_payment_id text CHECK (processor_payment_id <> ''),
  settled_at timestamptz,
  reconciliation_flagged_at timestamptz,
  reconciliation_amount_cents bigint CHECK (reconciliation_amount_cents >= 0),
  reconciliation_reason text CHECK (reconciliation_reason IN
    ('allocation_stale','amount_mismatch','settlement_failed','second_capture')),
  reconciliation_note text CHECK (length(reconciliation_note) <= 2000),
  resolved_at timestamptz,
  resolved_by uuid REFERENCES users,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((reconciliation_flagged_at IS NULL) = (reconciliation_amount_cents IS NULL)),
  CHECK ((reconciliation_flagged_at IS NULL) = (reconciliation_reason IS NULL)),
  CHECK (resolved_at IS NULL OR reconciliation_flagged_at IS NOT NULL),
  -- A settled remittance has a charge. After a full refund it becomes a draft again, without a charge.
  CONSTRAINT remittance_money_has_a_charge CHECK (processor_payment_id IS NOT NULL
    OR (settled_at IS NULL AND (reconciliation_flagged_at IS NULL OR resolved_at >= reconciliation_flagged_at))),
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, chapter_id, id),
  CONSTRAINT remittances_processor_payment_unique UNIQUE (organization_id, processor_payment_id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id)
);
CREATE INDEX remittances_created ON chapter_remittances (organization_id, created_at, id);
CREATE INDEX remittances_flagged ON chapter_remittances (organization_id, reconciliation_flagged_at)
  WHERE reconciliation_flagged_at IS NOT NULL AND (resolved_at IS NULL OR resolved_at < reconciliation_flagged_at);

-- An attempt to pay a remittance by card, or an invoice on a hosted page.
CREATE TABLE payment_attempts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  remittance_id uuid,
  invoice_id uuid,
  processor_id uuid NOT NULL,
  payment_method text CHECK (length(payment_method) BETWEEN 1 AND 300),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending','succeeded','failed','flagged')),
  -- since when an authorization may have been requested, for providers that authorize before they capture
  charge_asked_at timestamptz,
  intent_id text CHECK (intent_id <> ''),
  captured_cents bigint CHECK (captured_cents > 0),
  failure_code text CHECK (length(failure_code) <= 100),
  failure_message text CHECK (length(failure_message) <= 500),
  requested_by uuid REFERENCES users,
  finished_at timestamptz,
  checkout_session_id text CHECK (checkout_session_id <> ''),
  checkout_url text,
  checkout_expires_at timestamptz,
  -- number of idempotency keys used to create the payment page, time of the last request to the provider, and time of
  -- its last answer
  checkout_keys smallint NOT NULL DEFAULT 0 CHECK (checkout_keys >= 0),
  checkout_asked_at timestamptz,
  checkout_looked_at timestamptz,
  closing_since timestamptz,
  closing_reason text CHECK (closing_reason IN ('invoice_paid','invoice_void','amount_changed','replaced','cancelled')),
  -- when the provider confirmed that no page of the ended attempt can be paid
  checkout_closed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT attempt_subject CHECK ((remittance_id IS NULL) <> (invoice_id IS NULL)),
  CHECK ((status = 'pending') = (finished_at IS NULL)),
  CONSTRAINT attempt_page_was_asked_for CHECK ((checkout_keys = 0) = (checkout_asked_at IS NULL)),
  CONSTRAINT attempt_closing_has_reason CHECK ((closing_since IS NULL) = (closing_reason IS NULL)),
  CONSTRAINT attempt_closing_is_a_page CHECK (closing_since IS NULL OR invoice_id IS NOT NULL),
  CONSTRAINT attempt_pages_closed_when_over
    CHECK (checkout_closed_at IS NULL OR (status <> 'pending' AND checkout_keys > 0)),
  UNIQUE (organization_id, id),
  CONSTRAINT attempts_intent_unique UNIQUE (organization_id, intent_id),
  FOREIGN KEY (organization_id, remittance_id) REFERENCES chapter_remittances (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id),
  FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id)
);
-- At most one pending attempt per remittance: repeated clicks on 'pay' share one attempt.
CREATE UNIQUE INDEX attempts_one_live_per_remittance ON payment_attempts (organization_id, remittance_id)
  WHERE status = 'pending' AND remittance_id IS NOT NULL;
-- At most one open payment page per invoice: a second click opens the existing page.
CREATE UNIQUE INDEX attempts_one_page_per_invoice ON payment_attempts (organization_id, invoice_id)
  WHERE status = 'pending' AND invoice_id IS NOT NULL AND closing_since IS NULL;
CREATE INDEX attempts_remittance ON payment_attempts (organization_id, remittance_id, id)
  WHERE remittance_id IS NOT NULL;
CREATE INDEX attempts_invoice ON payment_attempts (organization_id, invoice_id, id) WHERE invoice_id IS NOT NULL;
CREATE INDEX attempts_pending ON payment_attempts (id) WHERE status = 'pending';
CREATE INDEX attempts_pending_of_processor ON payment_attempts (organization_id, processor_id) WHERE status = 'pending';
CREATE INDEX attempts_pages_closing ON payment_attempts (organization_id, processor_id)
  WHERE status <> 'pending' AND checkout_keys > 0 AND checkout_closed_at IS NULL;

CREATE TABLE payment_records (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  invoice_id uuid NOT NULL,
  processor_id uuid,
  processor_payment_id text NOT NULL CHECK (processor_payment_id <> ''),
  intent_id text,
  remittance_id uuid,
  -- The invoice for which the payment was made, if the payment later moved to a replacement invoice.
  charged_invoice_id uuid,
  -- how a payment that was recorded by hand was made; null: a processor took the payment, or it was imported from
  -- earlier books
  method text CHECK (method IN ('cash','check','bank_transfer','other')),
  reference text CHECK (length(reference) BETWEEN 1 AND 200),
  received_on date,
  recorded_by uuid REFERENCES users,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  refunded_cents bigint NOT NULL DEFAULT 0,
  -- part of refunded_cents that the platform did not refund itself
  refunded_by_others_cents bigint NOT NULL DEFAULT 0,
  refund_failed_cents bigint NOT NULL DEFAULT 0 CHECK (refund_failed_cents >= 0),
  status text NOT NULL CHECK (status IN ('pending','failed','succeeded')),
  failure_code text CHECK (length(failure_code) <= 100),
  paid_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT payment_refund_within_amount CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  CHECK ((status = 'succeeded') = (paid_at IS NOT NULL)),
  CONSTRAINT payment_refunded_by_others CHECK (refunded_by_others_cents BETWEEN 0 AND refunded_cents),
  CONSTRAINT payment_of_remittance
    CHECK (remittance_id IS NULL OR processor_payment_id = remittance_id || ':' || coalesce(charged_invoice_id, invoice_id)),
  CONSTRAINT payment_was_for_another CHECK (charged_invoice_id <> invoice_id),
  CONSTRAINT payment_by_hand CHECK (num_nonnulls(method, reference, received_on, recorded_by) = 0
    OR (num_nonnulls(method, reference, received_on, recorded_by) = 4
      AND num_nonnulls(processor_id, intent_id, remittance_id) = 0 AND starts_with(processor_payment_id, 'manual:'))),
  UNIQUE (organization_id, id),
  CONSTRAINT payments_processor_payment_unique UNIQUE (organization_id, processor_payment_id),
  CONSTRAINT payment_charged_invoice FOREIGN KEY (organization_id, charged_invoice_id)
    REFERENCES chapter_invoices (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id),
  FOREIGN KEY (organization_id, remittance_id) REFERENCES chapter_remittances (organization_id, id),
  FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id)
);
CREATE INDEX payments_invoice ON payment_records (organization_id, invoice_id, id);
CREATE INDEX payments_remittance ON payment_records (organization_id, remittance_id) WHERE remittance_id IS NOT NULL;
CREATE INDEX payments_intent ON payment_records (organization_id, intent_id) WHERE intent_id IS NOT NULL;

CREATE TABLE chapter_remittance_allocations (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  remittance_id uuid NOT NULL,
  chapter_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  payment_record_id uuid,
  reserved_by_attempt_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT allocations_invoice_once UNIQUE (organization_id, remittance_id, invoice_id),
  CONSTRAINT allocations_payment_unique UNIQUE (organization_id, payment_record_id),
  FOREIGN KEY (organization_id, chapter_id, remittance_id)
    REFERENCES chapter_remittances (organization_id, chapter_id, id),
  FOREIGN KEY (organization_id, chapter_id, invoice_id) REFERENCES chapter_invoices (organization_id, chapter_id, id),
  FOREIGN KEY (organization_id, payment_record_id) REFERENCES payment_records (organization_id, id),
  FOREIGN KEY (organization_id, reserved_by_attempt_id) REFERENCES payment_attempts (organization_id, id)
);
-- An invoice can be reserved for only one charge at a time.
CREATE UNIQUE INDEX allocations_reserved_unique ON chapter_remittance_allocations (organization_id, invoice_id)
  WHERE reserved_by_attempt_id IS NOT NULL;
CREATE INDEX allocations_invoice ON chapter_remittance_allocations (organization_id, invoice_id);
