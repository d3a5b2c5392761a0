-- Receipts of gifts, and the counters of their numbers.

-- The last receipt number of each year. The transaction that inserts a receipt locks the row, so numbers have no gaps.
CREATE TABLE receipt_counters (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  tax_year integer NOT NULL CHECK (tax_year BETWEEN 1800 AND 2200),
  last_number integer NOT NULL CHECK (last_number BETWEEN 1 AND 999999),
  UNIQUE (organization_id, id),
  CONSTRAINT receipt_counters_one_per_year UNIQUE (organization_id, tax_year)
);

CREATE TABLE tax_receipts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  donor_id uuid NOT NULL,
  -- null for an annual receipt, which is for all gifts of the donor in the tax year
  donation_id uuid,
  kind text NOT NULL GENERATED ALWAYS AS (CASE WHEN donation_id IS NULL THEN 'annual' ELSE 'gift' END) STORED,
  -- the run that issued an annual receipt; null for a correction of one
  annual_run_id uuid,
  tax_year integer NOT NULL CHECK (tax_year BETWEEN 1800 AND 2200),
  sequence integer NOT NULL CHECK (sequence BETWEEN 1 AND 999999),
  number text NOT NULL GENERATED ALWAYS AS (tax_year::text || '-' || lpad(sequence::text, 6, '0')) STORED,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
  status text NOT NULL DEFAULT 'valid' CHECK (status IN ('valid','superseded','void')),
  -- the earlier receipt that this one replaces: of the same gift, or of the same donor and year
  replaces uuid,
  -- 128 random bits in base64url, printed on the receipt, for anybody to verify it
  code text NOT NULL CHECK (code ~ '^[A-Za-z0-9_-]{22}$'),
  -- everything that the PDF prints; a later change of the foundation or the donor does not change a receipt
  printed jsonb NOT NULL CHECK (jsonb_typeof(printed) = 'object'),
  issued_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  mail_status text NOT NULL DEFAULT 'waiting'
    CHECK (mail_status IN ('waiting','mailed','undeliverable','replaced','cancelled','not_requested')),
  -- number of mails requested so far, which is part of the Message-ID, and time of the last request
  mail_count integer NOT NULL DEFAULT 1 CHECK (mail_count > 0),
  mail_requested_at timestamptz NOT NULL DEFAULT now(),
  mailed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT tax_receipts_ended CHECK ((status = 'valid') = (ended_at IS NULL)),
  CONSTRAINT tax_receipts_valid_when_waiting CHECK (status = 'valid' OR mail_status <> 'waiting'),
  CONSTRAINT tax_receipts_run_of_annual CHECK (annual_run_id IS NULL OR donation_id IS NULL),
  CONSTRAINT tax_receipts_mailed CHECK (mail_status <> 'mailed' OR mailed_at IS NOT NULL),
  UNIQUE (organization_id, id),
  CONSTRAINT tax_receipts_number_unique UNIQUE (organization_id, tax_year, sequence),
  CONSTRAINT tax_receipts_code_unique UNIQUE (code),
  CONSTRAINT tax_receipts_replaced_once UNIQUE (organization_id, replaces),
  FOREIGN KEY (organization_id, donor_id) REFERENCES donors (organization_id, id),
  FOREIGN KEY (organization_id, donation_id) REFERENCES donations (organization_id, id),
  FOREIGN KEY (organization_id, annual_run_id) REFERENCES annual_receipt_runs (organization_id, id),
  FOREIGN KEY (organization_id, replaces) REFERENCES tax_receipts (organization_id, id)
);
CREATE UNIQUE INDEX tax_receipts_one_valid ON tax_receipts (organization_id, donation_id) WHERE status = 'valid';
CREATE UNIQUE INDEX tax_receipts_one_valid_annual ON tax_receipts (organization_id, donor_id, tax_year)
  WHERE status = 'valid' AND donation_id IS NULL;
CREATE UNIQUE INDEX tax_receipts_once_per_run ON tax_receipts (organization_id, annual_run_id, donor_id)
  WHERE annual_run_id IS NOT NULL;
-- Finds the annual receipts of a donor and year, also those that are no longer valid.
CREATE INDEX tax_receipts_annual ON tax_receipts (organization_id, donor_id, tax_year, id) WHERE donation_id IS NULL;
CREATE INDEX tax_receipts_kind ON tax_receipts (organization_id, kind, id DESC);
CREATE INDEX tax_receipts_donation ON tax_receipts (organization_id, donation_id, id);
CREATE INDEX tax_receipts_donor ON tax_receipts (organization_id, donor_id, id DESC);
CREATE INDEX tax_receipts_status ON tax_receipts (organization_id, status, id DESC);
CREATE INDEX tax_receipts_year ON tax_receipts (organization_id, tax_year, id DESC);
CREATE INDEX tax_receipts_waiting ON tax_receipts (id) WHERE mail_status = 'waiting';
