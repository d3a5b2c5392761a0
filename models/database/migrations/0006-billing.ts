import { isolate, TIMES, touched } from '../isolation.js';
import type { Migration } from '../migrate.js';
import { MEMBERSHIP_STATUSES } from './0003-organizations.js';

const ID = `id uuid PRIMARY KEY DEFAULT uuidv7(), organization_id uuid NOT NULL REFERENCES organizations`;

/** What is owed: settings, rates, runs, invoices and their lines. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    CREATE TABLE org_dues_settings (
      organization_id uuid PRIMARY KEY REFERENCES organizations,
      billing_mode text NOT NULL DEFAULT 'bill_member' CHECK (billing_mode IN ('bill_chapter','bill_member')),
      officers_see_amounts boolean NOT NULL DEFAULT true,
      payment_plans_enabled boolean NOT NULL DEFAULT false,
      plan_requesters text NOT NULL DEFAULT 'members_and_officers' CHECK (plan_requesters IN ('members','officers','members_and_officers')),
      plan_max_installments integer NOT NULL DEFAULT 6 CHECK (plan_max_installments BETWEEN 2 AND 60),
      plan_max_duration_days integer NOT NULL DEFAULT 180 CHECK (plan_max_duration_days BETWEEN 1 AND 1095),
      plan_min_first_payment_cents bigint NOT NULL DEFAULT 0 CHECK (plan_min_first_payment_cents >= 0),
      auto_approve_within_limits boolean NOT NULL DEFAULT false,
      plan_regional_approval boolean NOT NULL DEFAULT false,
      refund_cap_per_officer_cents bigint NOT NULL DEFAULT 5000 CHECK (refund_cap_per_officer_cents BETWEEN 0 AND 100000000),
      currency text NOT NULL DEFAULT 'usd' CHECK (currency ~ '^[a-z]{3}$'),
      version integer NOT NULL DEFAULT 1,
      ${TIMES}
    );
    ${touched('org_dues_settings')}
    ${isolate('org_dues_settings', runtime)}

    CREATE TABLE chapter_billing_overrides (
      ${ID},
      chapter_id uuid NOT NULL,
      effective_term_id uuid NOT NULL,
      billing_mode text NOT NULL CHECK (billing_mode IN ('bill_chapter','bill_member')),
      version integer NOT NULL DEFAULT 1,
      ${TIMES},
      UNIQUE (organization_id, id),
      CONSTRAINT billing_overrides_chapter_term_unique UNIQUE (organization_id, chapter_id, effective_term_id),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
      FOREIGN KEY (organization_id, effective_term_id) REFERENCES terms (organization_id, id)
    );
    ${touched('chapter_billing_overrides')}
    ${isolate('chapter_billing_overrides', runtime)}

    CREATE TABLE dues_rates (
      ${ID},
      term_id uuid NOT NULL,
      status text NOT NULL CHECK (status IN ${MEMBERSHIP_STATUSES}),
      amount_cents bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 100000000),
      version integer NOT NULL DEFAULT 1,
      ${TIMES},
      UNIQUE (organization_id, id),
      CONSTRAINT dues_rates_term_status_unique UNIQUE (organization_id, term_id, status),
      FOREIGN KEY (organization_id, term_id) REFERENCES terms (organization_id, id)
    );
    ${touched('dues_rates')}
    ${isolate('dues_rates', runtime)}

    CREATE TABLE dues_runs (
      ${ID},
      term_id uuid NOT NULL,
      due_date date NOT NULL,
      preview_hash text NOT NULL,
      status text NOT NULL DEFAULT 'running' CHECK (status IN ('running','completed','failed')),
      chapters_total integer NOT NULL DEFAULT 0,
      chapters_done integer NOT NULL DEFAULT 0,
      invoices_planned integer NOT NULL DEFAULT 0,
      invoices_issued integer NOT NULL DEFAULT 0,
      planned_cents bigint NOT NULL DEFAULT 0,
      issued_cents bigint NOT NULL DEFAULT 0,
      started_by uuid REFERENCES users,
      completed_at timestamptz,
      ${TIMES},
      CHECK ((status = 'completed') = (completed_at IS NOT NULL)),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, term_id) REFERENCES terms (organization_id, id)
    );
    CREATE UNIQUE INDEX dues_runs_one_running ON dues_runs (organization_id, term_id) WHERE status = 'running';
    ${touched('dues_runs')}
    ${isolate('dues_runs', runtime)}

    -- What a run was confirmed to issue: rates and rosters may change afterwards, the plan does not.
    CREATE TABLE dues_run_items (
      ${ID},
      dues_run_id uuid NOT NULL,
      chapter_id uuid NOT NULL,
      membership_id uuid,
      status text NOT NULL CHECK (status IN ${MEMBERSHIP_STATUSES}),
      quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 100000),
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT dues_run_items_once UNIQUE NULLS NOT DISTINCT (organization_id, dues_run_id, chapter_id, membership_id, status),
      FOREIGN KEY (organization_id, dues_run_id) REFERENCES dues_runs (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
    );
    ${isolate('dues_run_items', runtime, { appendOnly: true })}

    CREATE TABLE chapter_invoices (
      ${ID},
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
      ${TIMES},
      CONSTRAINT invoice_payer CHECK ((payer_type = 'member') = (membership_id IS NOT NULL)),
      CHECK ((status = 'void') = (voided_at IS NOT NULL)),
      CHECK (status NOT IN ('void','paid') OR balance_due_cents = 0),
      UNIQUE (organization_id, id),
      UNIQUE (organization_id, chapter_id, id),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id),
      FOREIGN KEY (organization_id, term_id) REFERENCES terms (organization_id, id),
      FOREIGN KEY (organization_id, dues_run_id) REFERENCES dues_runs (organization_id, id)
    );
    -- one live recurring invoice for a payer and term, however often a run is repeated
    CREATE UNIQUE INDEX invoices_recurring_payer_unique ON chapter_invoices
      (organization_id, term_id, chapter_id, payer_type, membership_id) NULLS NOT DISTINCT
      WHERE is_recurring AND status <> 'void';
    CREATE INDEX invoices_status_due ON chapter_invoices (organization_id, status, due_date, id);
    CREATE INDEX invoices_due ON chapter_invoices (organization_id, due_date, id);
    CREATE INDEX invoices_chapter_status_due ON chapter_invoices (organization_id, chapter_id, status, due_date, id);
    CREATE INDEX invoices_chapter_due ON chapter_invoices (organization_id, chapter_id, due_date, id);
    CREATE INDEX invoices_run ON chapter_invoices (organization_id, dues_run_id, chapter_id) WHERE dues_run_id IS NOT NULL;
    CREATE INDEX invoices_member ON chapter_invoices (organization_id, membership_id, due_date, id) WHERE membership_id IS NOT NULL;
    ${touched('chapter_invoices')}
    ${isolate('chapter_invoices', runtime)}

    CREATE TABLE invoice_line_items (
      ${ID},
      invoice_id uuid NOT NULL,
      membership_id uuid,
      description text NOT NULL CHECK (length(description) BETWEEN 1 AND 300),
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
    ${isolate('invoice_line_items', runtime, { appendOnly: true })}

    CREATE TABLE invoice_discounts (
      ${ID},
      invoice_id uuid NOT NULL,
      amount_cents bigint NOT NULL CHECK (amount_cents > 0),
      category text NOT NULL DEFAULT 'other' CHECK (length(category) BETWEEN 1 AND 50),
      reason text NOT NULL CHECK (length(btrim(reason)) BETWEEN 1 AND 500),
      granted_by uuid REFERENCES users,
      voided_at timestamptz,
      voided_by uuid REFERENCES users,
      ${TIMES},
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id)
    );
    CREATE INDEX invoice_discounts_invoice ON invoice_discounts (organization_id, invoice_id);
    ${touched('invoice_discounts')}
    ${isolate('invoice_discounts', runtime)}

    -- one notice of a kind for an invoice; claimed before it is mailed, so that a restart mails nobody twice
    CREATE TABLE invoice_notices (
      ${ID},
      invoice_id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('overdue')),
      outcome text CHECK (outcome IN ('sent','failed','skipped','unknown')),
      claimed_at timestamptz,
      ${TIMES},
      UNIQUE (organization_id, id),
      CONSTRAINT invoice_notices_once UNIQUE (organization_id, invoice_id, kind),
      FOREIGN KEY (organization_id, invoice_id) REFERENCES chapter_invoices (organization_id, id)
    );
    CREATE INDEX invoice_notices_waiting ON invoice_notices (organization_id, id) WHERE outcome IS NULL;
    ${touched('invoice_notices')}
    ${isolate('invoice_notices', runtime)}

    -- False until payment plans exist; then: a pending, in-policy request whose window still runs.
    CREATE FUNCTION app.invoice_is_frozen(p_organization uuid, p_invoice uuid, p_today date) RETURNS boolean
      LANGUAGE sql STABLE AS $$ SELECT false $$;
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    DROP FUNCTION app.invoice_is_frozen(uuid, uuid, date);
    DROP TABLE invoice_notices, invoice_discounts, invoice_line_items, chapter_invoices, dues_run_items, dues_runs, dues_rates,
      chapter_billing_overrides, org_dues_settings;
  `);
