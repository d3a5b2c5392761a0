-- Donors, their gifts, and the entries from which all totals are derived.

-- Donors: one row per e-mail address and foundation. Name and contact data are those given with the first gift.
CREATE TABLE donors (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- null after the donor was erased
  email text CHECK (length(email) BETWEEN 1 AND 254),
  first_name text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 100),
  last_name text NOT NULL CHECK (length(last_name) BETWEEN 1 AND 100),
  phone text CHECK (length(phone) BETWEEN 1 AND 50),
  address text CHECK (length(address) BETWEEN 1 AND 500),
  user_id uuid REFERENCES users ON DELETE SET NULL (user_id),
  -- the donor's own preference: a gift that does not say whether it is anonymous follows it
  is_anonymous boolean NOT NULL DEFAULT false,
  -- sum of the entries of the donor's gifts, and number of completed gifts; both are maintained by
  -- app.add_donation_entry
  total_cents bigint NOT NULL DEFAULT 0 CHECK (total_cents >= 0),
  gift_count integer NOT NULL DEFAULT 0 CHECK (gift_count >= 0),
  -- when an admin or the donor last corrected the name; receipts of earlier gifts print the corrected name
  name_corrected_at timestamptz,
  erased_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT donors_email_unique UNIQUE (organization_id, email),
  CONSTRAINT donors_erased CHECK ((email IS NULL) = (erased_at IS NOT NULL)),
  CONSTRAINT donors_erased_contact CHECK (erased_at IS NULL OR num_nonnulls(phone, address, user_id) = 0)
);
CREATE INDEX donors_user ON donors (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX donors_name ON donors (organization_id, last_name, id);

CREATE TABLE donations (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  donor_id uuid NOT NULL,
  -- null only for an offline gift
  campaign_id uuid,
  fund_id uuid NOT NULL,
  -- how the gift was given; card: online, on a page of the payment provider. The others were recorded by hand.
  method text NOT NULL DEFAULT 'card'
    CHECK (method IN ('card','cash','check','bank_transfer','donor_advised_fund','other')),
  -- day on which the foundation received an offline gift; it decides the tax year
  received_on date,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
  net_cents bigint NOT NULL GENERATED ALWAYS AS (amount_cents - fee_cents) STORED CHECK (net_cents > 0),
  currency text NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
  -- if the donor also pays the fee: the amount that remains after the fee, as the donor chose it
  base_amount_cents bigint CHECK (base_amount_cents > 0),
  -- name as the donor gave it with this gift
  first_name text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 100),
  last_name text NOT NULL CHECK (length(last_name) BETWEEN 1 AND 100),
  is_anonymous boolean NOT NULL DEFAULT false,
  -- Status, refunded amount, time of the charge and tax year are derived from the entries by app.add_donation_entry.
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending','completed','failed','refunded')),
  refunded_cents bigint NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  -- true if the captured amount or currency differs from the gift: an administrator then decides
  under_review boolean NOT NULL DEFAULT false,
  failure_code text CHECK (length(failure_code) <= 100),
  -- year of the charge in the time zone that the foundation had when it was charged
  tax_year integer CHECK (tax_year BETWEEN 1800 AND 2200),
  charged_at timestamptz,
  idempotency_key text CHECK (length(idempotency_key) BETWEEN 1 AND 100),
  request_hash text NOT NULL CHECK (length(request_hash) = 43),
  -- keyed digest of the donor's network, to count declined payments; removed when the gift ends
  network_digest text CHECK (length(network_digest) = 43),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT donations_charged CHECK ((status IN ('completed','refunded')) = (charged_at IS NOT NULL)),
  CONSTRAINT donations_tax_year CHECK ((charged_at IS NULL) = (tax_year IS NULL)),
  CONSTRAINT donations_refunded CHECK (status = 'refunded' OR refunded_cents < amount_cents),
  CONSTRAINT donations_refunded_of_charged CHECK (charged_at IS NOT NULL OR refunded_cents = 0),
  CONSTRAINT donations_offline CHECK ((method = 'card') = (received_on IS NULL)),
  CONSTRAINT donations_offline_fee CHECK (method = 'card' OR fee_cents = 0),
  CONSTRAINT donations_offline_year CHECK (tax_year = extract(year FROM received_on)),
  CONSTRAINT donations_campaign CHECK (campaign_id IS NOT NULL OR method <> 'card'),
  CONSTRAINT donations_review CHECK (NOT under_review OR status IN ('pending','failed')),
  UNIQUE (organization_id, id),
  -- all gifts of a foundation have its currency, which therefore cannot change after the first gift
  CONSTRAINT donations_currency FOREIGN KEY (organization_id, currency) REFERENCES foundation_configs (organization_id, currency),
  CONSTRAINT donations_key_unique UNIQUE (organization_id, campaign_id, idempotency_key),
  FOREIGN KEY (organization_id, donor_id) REFERENCES donors (organization_id, id),
  FOREIGN KEY (organization_id, campaign_id) REFERENCES campaigns (organization_id, id),
  FOREIGN KEY (organization_id, fund_id) REFERENCES funds (organization_id, id)
);
-- The key of an offline gift is unique in the foundation, because the gift may have no campaign.
CREATE UNIQUE INDEX donations_offline_key ON donations (organization_id, idempotency_key) WHERE method <> 'card';
-- Lists gifts by id, which ascends with time. The time of creation is included, so that gifts in a range of days can be
-- counted from the index alone.
CREATE INDEX donations_created ON donations (organization_id, id DESC) INCLUDE (created_at);
-- Counts the gifts of a tenant. Postgres stores the equal keys once, so that this takes half the time of another index.
CREATE INDEX donations_tenant ON donations (organization_id);
CREATE INDEX donations_status ON donations (organization_id, status, id DESC);
CREATE INDEX donations_campaign ON donations (organization_id, campaign_id, id DESC);
CREATE INDEX donations_fund ON donations (organization_id, fund_id, id DESC);
-- The gifts that the annual receipts of a year list.
CREATE INDEX donations_annual ON donations (organization_id, tax_year, donor_id) WHERE status = 'completed';
CREATE INDEX donations_donor ON donations (organization_id, donor_id, id DESC);

-- Movements of the money of gifts. Rows are only added: all totals are sums of them.
CREATE TABLE donation_entries (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  donation_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('received','returned','reinstated')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  -- the charge that moved the money; null for an offline gift, which app.add_donation_entry checks
  capture_id uuid,
  -- when the money moved, as reported by the provider; for an offline gift, the beginning of the day
  moved_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, donation_id) REFERENCES donations (organization_id, id),
  FOREIGN KEY (organization_id, capture_id) REFERENCES processor_captures (organization_id, id)
);
CREATE UNIQUE INDEX donation_entries_received_once ON donation_entries (organization_id, donation_id)
  WHERE kind = 'received';
CREATE INDEX donation_entries_donation ON donation_entries (organization_id, donation_id, id);
