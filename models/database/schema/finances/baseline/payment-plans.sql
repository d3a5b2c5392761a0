-- Payment plans: an invoice is paid in installments. A plan holds no balance and charges nothing; it sets the due dates of
-- parts of one invoice.

CREATE TABLE payment_plan_requests (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  invoice_id uuid NOT NULL,
  chapter_id uuid NOT NULL,
  -- the payer; the request may come from another person
  membership_id uuid NOT NULL,
  requested_by uuid NOT NULL REFERENCES users,
  justification text NOT NULL CHECK (length(justification) BETWEEN 1 AND 2000),
  -- installments as due_date and amount_cents, and the result of each
  schedule jsonb NOT NULL CHECK (jsonb_typeof(schedule) = 'array'),
  invoice_balance_cents bigint NOT NULL CHECK (invoice_balance_cents > 0),
  -- whether the request is within the organization's limits: decided once, by the settings that are stored in policy
  is_in_policy boolean NOT NULL,
  policy_reasons jsonb NOT NULL,
  policy jsonb NOT NULL,
  -- due date of the invoice when the plan was requested, from which the dunning freeze is calculated; null: the request
  -- suspends no dunning
  freeze_anchor date,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending','approved','refused','withdrawn','lapsed')),
  reviewed_by uuid REFERENCES users,
  reviewed_at timestamptz,
  review_notes text CHECK (length(review_notes) BETWEEN 1 AND 2000),
  closed_at timestamptz,
  -- when people were told that the pause of reminders ends soon, and when they were told that it has ended
  reminded_at timestamptz,
  thawed_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'pending') = (closed_at IS NULL)),
  CONSTRAINT plan_request_freezes_in_policy CHECK (freeze_anchor IS NULL OR is_in_policy),
  CONSTRAINT plan_request_reviewed CHECK ((reviewed_at IS NOT NULL) = (status IN ('approved','refused'))
    AND (reviewed_by IS NULL OR reviewed_at IS NOT NULL)),
  CONSTRAINT plan_request_refused_says_why CHECK (status <> 'refused'
    OR (review_notes IS NOT NULL AND reviewed_by IS NOT NULL)),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
);
CREATE UNIQUE INDEX plan_requests_one_open ON payment_plan_requests (organization_id, invoice_id) WHERE status = 'pending';
CREATE INDEX plan_requests_queue ON payment_plan_requests (organization_id, status, freeze_anchor, id);
CREATE INDEX plan_requests_chapter ON payment_plan_requests (organization_id, chapter_id, status, id);
CREATE INDEX plan_requests_of ON payment_plan_requests (organization_id, requested_by, id);
CREATE INDEX plan_requests_member ON payment_plan_requests (organization_id, membership_id, id);
CREATE INDEX plan_requests_frozen ON payment_plan_requests (id)
  WHERE status = 'pending' AND freeze_anchor IS NOT NULL AND thawed_at IS NULL;
-- Index of the queue of pending requests, in the order in which their dunning freezes end.
CREATE INDEX plan_requests_by_freeze ON payment_plan_requests
    (organization_id, (CASE WHEN status = 'pending' THEN freeze_anchor END), id);

CREATE TABLE payment_plans (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  invoice_id uuid NOT NULL,
  request_id uuid NOT NULL,
  chapter_id uuid NOT NULL,
  membership_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active','completed','cancelled')),
  total_cents bigint NOT NULL CHECK (total_cents > 0),
  -- amount billed by the invoice when the plan was granted; distinguishes charges that were added later from unpaid
  -- ones
  billed_cents bigint NOT NULL CHECK (billed_cents >= 0),
  -- due date of the invoice before the plan
  original_due_date date NOT NULL,
  cancelled_by uuid REFERENCES users,
  cancel_reason text CHECK (length(cancel_reason) BETWEEN 1 AND 500),
  ended_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'active') = (ended_at IS NULL)),
  CONSTRAINT plan_cancelled_says_why CHECK ((status = 'cancelled') = (cancel_reason IS NOT NULL)),
  UNIQUE (organization_id, id),
  CONSTRAINT plan_granted_once UNIQUE (organization_id, request_id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id),
  FOREIGN KEY (organization_id, request_id) REFERENCES payment_plan_requests (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
);
CREATE UNIQUE INDEX plans_one_active ON payment_plans (organization_id, invoice_id) WHERE status = 'active';
CREATE INDEX plans_status ON payment_plans (organization_id, status, id);
CREATE INDEX plans_member ON payment_plans (organization_id, membership_id, id);
-- finds the active plans of a chapter's roster
CREATE INDEX plans_chapter ON payment_plans (organization_id, chapter_id) WHERE status = 'active';

CREATE TABLE payment_plan_installments (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  plan_id uuid NOT NULL,
  sequence integer NOT NULL CHECK (sequence BETWEEN 1 AND 60),
  due_date date NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  payment_record_id uuid,
  note text CHECK (length(note) BETWEEN 1 AND 500),
  reconciled_by uuid REFERENCES users,
  reconciled_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT installment_reconciled CHECK ((reconciled_at IS NULL) = (reconciled_by IS NULL)
    AND (reconciled_at IS NOT NULL OR num_nonnulls(payment_record_id, note) = 0)),
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, plan_id, sequence),
  FOREIGN KEY (organization_id, plan_id) REFERENCES payment_plans (organization_id, id),
  FOREIGN KEY (organization_id, payment_record_id) REFERENCES payment_records (organization_id, id)
);
CREATE INDEX installments_payment ON payment_plan_installments (organization_id, payment_record_id)
  WHERE payment_record_id IS NOT NULL;

-- Bulk approvals of requests within the limits: a process grants them one after another. One line per request records
-- the preview and the result.
CREATE TABLE plan_bulk_approvals (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  requested_by uuid NOT NULL REFERENCES users,
  preview_hash text NOT NULL CHECK (preview_hash ~ '^[0-9a-f]{64}$'),
  status text NOT NULL DEFAULT 'approving' CHECK (status IN
    ('approving','approved','cancelled','stopped_right_lost')),
  lines_total integer NOT NULL DEFAULT 0,
  lines_done integer NOT NULL DEFAULT 0,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'approving') = (ended_at IS NULL)),
  CONSTRAINT plan_bulk_approval_lines_done CHECK (lines_done BETWEEN 0 AND lines_total
    AND (status <> 'approved' OR lines_done = lines_total)),
  UNIQUE (organization_id, id)
);
CREATE INDEX plan_bulk_approvals_under_way ON plan_bulk_approvals (id) WHERE status = 'approving';

CREATE TABLE plan_bulk_approval_lines (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  approval_id uuid NOT NULL,
  request_id uuid NOT NULL,
  -- position in the order of processing: requests whose dunning freeze ends first are processed first
  sequence integer NOT NULL,
  -- null: not processed yet
  result text CHECK (result IN ('approved','balance_changed','schedule_past','own_request','plan_already_active','decided')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, approval_id, sequence),
  UNIQUE (organization_id, approval_id, request_id),
  FOREIGN KEY (organization_id, approval_id) REFERENCES plan_bulk_approvals (organization_id, id),
  FOREIGN KEY (organization_id, request_id) REFERENCES payment_plan_requests (organization_id, id)
);
CREATE INDEX plan_bulk_approval_lines_waiting ON plan_bulk_approval_lines (organization_id, approval_id, sequence)
  WHERE result IS NULL;
CREATE INDEX plan_bulk_approval_lines_request ON plan_bulk_approval_lines (organization_id, request_id);
