-- Runs that issue annual receipts, and the plan that each of them confirmed.

CREATE TABLE annual_receipt_runs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  tax_year integer NOT NULL CHECK (tax_year BETWEEN 1800 AND 2200),
  preview_hash text NOT NULL CHECK (preview_hash ~ '^[0-9a-f]{64}$'),
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running','issued','cancelled','stopped_right_lost')),
  receipts_planned integer NOT NULL CHECK (receipts_planned > 0),
  receipts_issued integer NOT NULL DEFAULT 0 CHECK (receipts_issued BETWEEN 0 AND receipts_planned),
  planned_cents bigint NOT NULL CHECK (planned_cents > 0),
  issued_cents bigint NOT NULL DEFAULT 0 CHECK (issued_cents >= 0),
  -- the admin who confirmed the preview; null for a run that the Schedule started
  started_by uuid REFERENCES users ON DELETE SET NULL,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT annual_receipt_runs_ended CHECK ((status = 'running') = (ended_at IS NULL)),
  UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX annual_receipt_runs_one_running ON annual_receipt_runs (organization_id, tax_year)
  WHERE status = 'running';
CREATE INDEX annual_receipt_runs_created ON annual_receipt_runs (organization_id, id DESC);
CREATE INDEX annual_receipt_runs_pending ON annual_receipt_runs (id) WHERE status = 'running';
CREATE INDEX annual_receipt_runs_starter ON annual_receipt_runs (started_by) WHERE started_by IS NOT NULL;

-- One line per planned receipt. The digest covers the donor's name and the kept amount of each gift: a receipt is issued
-- only if they are still the same.
CREATE TABLE annual_receipt_items (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  run_id uuid NOT NULL,
  donor_id uuid NOT NULL,
  gift_count integer NOT NULL CHECK (gift_count > 0),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  UNIQUE (organization_id, id),
  CONSTRAINT annual_receipt_items_once UNIQUE (organization_id, run_id, donor_id),
  FOREIGN KEY (organization_id, run_id) REFERENCES annual_receipt_runs (organization_id, id),
  FOREIGN KEY (organization_id, donor_id) REFERENCES donors (organization_id, id)
);
