-- Invoices. Amounts and status are derived from lines, discounts, payments and credit: see recompute_invoices.

-- Invoices. Amounts and status are derived from lines, discounts, payments and credit: see recompute_invoices.

CREATE TABLE chapter_invoices (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  term_id uuid,
  dues_run_id uuid,
  payer_type text NOT NULL CHECK (payer_type IN ('chapter','member')),
  membership_id uuid,
  payer_name text CHECK (length(payer_name) <= 200),
  is_recurring boolean NOT NULL DEFAULT false,
  description text NOT NULL CHECK (length(description) BETWEEN 1 AND 300),
  currency text NOT NULL DEFAULT 'usd' CHECK (currency ~ '^[a-z]{3}$'),
  issue_date date NOT NULL,
  due_date date NOT NULL,
  -- First due date of an invoice that was paid and then became due again.
  original_due_date date,
  reopened_at timestamptz,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open','overdue','partially_paid','paid','void')),
  total_cents bigint NOT NULL DEFAULT 0 CHECK (total_cents >= 0),
  discount_cents bigint NOT NULL DEFAULT 0 CHECK (discount_cents >= 0),
  credit_cents bigint NOT NULL DEFAULT 0 CHECK (credit_cents >= 0),
  paid_cents bigint NOT NULL DEFAULT 0 CHECK (paid_cents >= 0),
  overpaid_cents bigint NOT NULL DEFAULT 0 CONSTRAINT invoice_overpaid_not_negative CHECK (overpaid_cents >= 0),
  balance_due_cents bigint NOT NULL DEFAULT 0 CONSTRAINT invoice_balance_not_negative CHECK (balance_due_cents >= 0),
  overdue_at timestamptz,
  paid_at timestamptz,
  voided_at timestamptz,
  void_reason text CHECK (length(void_reason) <= 500),
  -- the void invoice that this invoice replaces
  replaces uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT invoice_payer CHECK ((payer_type = 'member') = (membership_id IS NOT NULL)),
  CHECK ((status = 'void') = (voided_at IS NOT NULL)),
  CHECK (status NOT IN ('void','paid') OR balance_due_cents = 0),
  CONSTRAINT invoice_replaces_dues CHECK (replaces IS NULL OR (is_recurring AND replaces <> id)),
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, chapter_id, id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id),
  FOREIGN KEY (organization_id, term_id) REFERENCES terms (organization_id, id),
  FOREIGN KEY (organization_id, dues_run_id) REFERENCES dues_runs (organization_id, id),
  CONSTRAINT invoice_replaces_own FOREIGN KEY (organization_id, chapter_id, replaces)
    REFERENCES chapter_invoices (organization_id, chapter_id, id)
);
-- at most one non-void recurring invoice per payer and term, however often a run is repeated
CREATE UNIQUE INDEX invoices_recurring_payer_unique ON chapter_invoices
  (organization_id, term_id, chapter_id, payer_type, membership_id) NULLS NOT DISTINCT
  WHERE is_recurring AND status <> 'void';
CREATE INDEX invoices_status_due ON chapter_invoices (organization_id, status, due_date, id);
CREATE INDEX invoices_due ON chapter_invoices (organization_id, due_date, id);
CREATE INDEX invoices_term ON chapter_invoices (organization_id, term_id, due_date, id) WHERE term_id IS NOT NULL;
CREATE INDEX invoices_chapter_status_due ON chapter_invoices (organization_id, chapter_id, status, due_date, id);
CREATE INDEX invoices_chapter_due ON chapter_invoices (organization_id, chapter_id, due_date, id);
-- Index of the invoices that chapters pay themselves, which are few compared with those of their members.
CREATE INDEX invoices_of_chapters ON chapter_invoices (organization_id, chapter_id, due_date, id)
  WHERE membership_id IS NULL;
CREATE INDEX invoices_run ON chapter_invoices (organization_id, dues_run_id, chapter_id) WHERE dues_run_id IS NOT NULL;
CREATE INDEX invoices_member ON chapter_invoices (organization_id, membership_id, due_date, id)
  WHERE membership_id IS NOT NULL;
CREATE UNIQUE INDEX invoices_replaced_once ON chapter_invoices (organization_id, replaces) WHERE replaces IS NOT NULL;

CREATE TABLE invoice_line_items (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  invoice_id uuid NOT NULL,
  membership_id uuid,
  description text NOT NULL CHECK (length(description) BETWEEN 1 AND 500),
  -- whether the line is a fee; fees are carried over to an invoice that replaces this one
  is_fee boolean NOT NULL DEFAULT false,
  quantity integer NOT NULL DEFAULT 1 CHECK (quantity BETWEEN 1 AND 100000),
  unit_amount_cents bigint NOT NULL CHECK (unit_amount_cents >= 0),
  amount_cents bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (amount_cents = quantity * unit_amount_cents),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id),
  FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id)
);
CREATE INDEX invoice_lines_invoice ON invoice_line_items (organization_id, invoice_id);

CREATE TABLE invoice_discounts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  invoice_id uuid NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  category text NOT NULL DEFAULT 'other' CHECK (length(category) BETWEEN 1 AND 50),
  reason text NOT NULL CHECK (length(btrim(reason)) BETWEEN 1 AND 500),
  notes text CHECK (length(notes) BETWEEN 1 AND 2000),
  granted_by uuid REFERENCES users,
  voided_at timestamptz,
  voided_by uuid REFERENCES users,
  void_reason text CHECK (length(void_reason) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT discount_voided_with_reason CHECK ((voided_at IS NULL) = (void_reason IS NULL)),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id)
);
CREATE INDEX invoice_discounts_invoice ON invoice_discounts (organization_id, invoice_id);
