-- Dues: settings, rates, and the runs that bill a term.

-- Dues: settings, rates, and the runs that bill a term.

CREATE TABLE org_dues_settings (
  organization_id uuid PRIMARY KEY REFERENCES organizations,
  billing_mode text NOT NULL DEFAULT 'bill_member' CHECK (billing_mode IN ('bill_chapter','bill_member')),
  officers_see_amounts boolean NOT NULL DEFAULT true,
  payment_plans_enabled boolean NOT NULL DEFAULT false,
  plan_requesters text NOT NULL DEFAULT 'members_and_officers'
    CHECK (plan_requesters IN ('members','officers','members_and_officers')),
  plan_max_installments integer NOT NULL DEFAULT 6 CHECK (plan_max_installments BETWEEN 2 AND 60),
  plan_max_duration_days integer NOT NULL DEFAULT 180 CHECK (plan_max_duration_days BETWEEN 1 AND 1095),
  plan_min_first_payment_cents bigint NOT NULL DEFAULT 0 CHECK (plan_min_first_payment_cents >= 0),
  auto_approve_within_limits boolean NOT NULL DEFAULT false,
  plan_regional_approval boolean NOT NULL DEFAULT false,
  -- days before a due date on which payers are reminded
  reminder_days_before integer[] NOT NULL DEFAULT '{7,1}' CHECK (cardinality(reminder_days_before) <= 10
    AND 0 < ALL (reminder_days_before) AND 60 >= ALL (reminder_days_before)),
  -- days between reminders of an overdue invoice, and their maximum number
  dunning_interval_days integer NOT NULL DEFAULT 14 CHECK (dunning_interval_days BETWEEN 1 AND 90),
  dunning_max integer NOT NULL DEFAULT 3 CHECK (dunning_max BETWEEN 0 AND 24),
  refund_cap_per_officer_cents bigint NOT NULL DEFAULT 5000 CHECK (refund_cap_per_officer_cents BETWEEN 0 AND 100000000),
  currency text NOT NULL DEFAULT 'usd' CHECK (currency ~ '^[a-z]{3}$'),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE chapter_billing_overrides (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  effective_term_id uuid NOT NULL,
  billing_mode text NOT NULL CHECK (billing_mode IN ('bill_chapter','bill_member')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT billing_overrides_chapter_term_unique UNIQUE (organization_id, chapter_id, effective_term_id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, effective_term_id) REFERENCES terms (organization_id, id)
);

CREATE TABLE dues_rates (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  term_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN
    ('pnm','undergrad','associate','alumni','active_alumni','lifetime_alumni','disaffiliated','inactive')),
  amount_cents bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 100000000),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT dues_rates_term_status_unique UNIQUE (organization_id, term_id, status),
  FOREIGN KEY (organization_id, term_id) REFERENCES terms (organization_id, id)
);

CREATE TABLE dues_runs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  term_id uuid NOT NULL,
  due_date date NOT NULL,
  preview_hash text NOT NULL,
  status text NOT NULL DEFAULT 'running' CHECK (status IN
    ('running','completed','failed','cancelled','stopped_right_lost')),
  notify boolean NOT NULL DEFAULT true,
  chapters_total integer NOT NULL DEFAULT 0,
  chapters_done integer NOT NULL DEFAULT 0,
  invoices_planned integer NOT NULL DEFAULT 0,
  invoices_issued integer NOT NULL DEFAULT 0,
  planned_cents bigint NOT NULL DEFAULT 0,
  issued_cents bigint NOT NULL DEFAULT 0,
  started_by uuid REFERENCES users,
  completed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'completed') = (completed_at IS NOT NULL)),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, term_id) REFERENCES terms (organization_id, id)
);
CREATE UNIQUE INDEX dues_runs_one_running ON dues_runs (organization_id, term_id) WHERE status = 'running';
CREATE INDEX dues_runs_running ON dues_runs (id) WHERE status = 'running';

-- The confirmed plan of a dues run. It does not change, even if rates and rosters change afterwards.
CREATE TABLE dues_run_items (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  dues_run_id uuid NOT NULL,
  chapter_id uuid NOT NULL,
  membership_id uuid,
  status text NOT NULL CHECK (status IN
    ('pnm','undergrad','associate','alumni','active_alumni','lifetime_alumni','disaffiliated','inactive')),
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 100000),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT dues_run_items_once
    UNIQUE NULLS NOT DISTINCT (organization_id, dues_run_id, chapter_id, membership_id, status),
  FOREIGN KEY (organization_id, dues_run_id) REFERENCES dues_runs (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
);
