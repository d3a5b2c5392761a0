-- Pledges: donors who give again every month, quarter or year, the periods for which they are charged, and the mails
-- that tell them what happened.

CREATE TABLE recurring_pledges (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  donor_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  fund_id uuid NOT NULL,
  -- the account that keeps the card
  processor_id uuid NOT NULL,
  recurring_interval text NOT NULL CHECK (recurring_interval IN ('monthly','quarterly','annually')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  base_amount_cents bigint CHECK (base_amount_cents > 0),
  currency text NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
  -- name and anonymity of each gift
  first_name text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 100),
  last_name text NOT NULL CHECK (length(last_name) BETWEEN 1 AND 100),
  is_anonymous boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active','past_due','paused','cancelled')),
  -- local day of the first completed gift, from which the due days of all periods are computed
  anchor_on date NOT NULL,
  -- the next period to charge, and when it is due; without a time, no period is due
  next_period integer NOT NULL CHECK (next_period > 0),
  next_due_at timestamptz,
  resume_on date,
  -- number of periods that were missed since the last paid one
  missed_in_a_row smallint NOT NULL DEFAULT 0 CHECK (missed_in_a_row >= 0),
  -- The provider's token of the card. It is absent before the payment page reports it, and after it was forgotten.
  card_encrypted text,
  -- the token of a card that the provider must forget
  retired_card_encrypted text,
  card_forgotten_at timestamptz,
  last_charged_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by text CHECK (cancelled_by IN ('donor','mailed_link','admin','account_deletion','process')),
  cancel_reason text CHECK (length(cancel_reason) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pledges_due CHECK ((next_due_at IS NOT NULL) = (status IN ('active','past_due'))),
  CONSTRAINT pledges_resume CHECK (resume_on IS NULL OR status = 'paused'),
  CONSTRAINT pledges_cancelled CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)
    AND (cancelled_at IS NULL) = (cancelled_by IS NULL) AND (cancel_reason IS NULL OR cancelled_at IS NOT NULL)),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, donor_id) REFERENCES donors (organization_id, id),
  FOREIGN KEY (organization_id, campaign_id) REFERENCES campaigns (organization_id, id),
  FOREIGN KEY (organization_id, fund_id) REFERENCES funds (organization_id, id),
  FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id)
);
CREATE INDEX pledges_created ON recurring_pledges (organization_id, id DESC);
CREATE INDEX pledges_status ON recurring_pledges (organization_id, status, id DESC);
CREATE INDEX pledges_donor ON recurring_pledges (organization_id, donor_id, id DESC);
CREATE INDEX pledges_campaign ON recurring_pledges (organization_id, campaign_id, id DESC);
-- Pledges that have a process: those that are not cancelled, and cancelled ones whose card is not forgotten yet.
CREATE INDEX pledges_followed ON recurring_pledges (id)
  WHERE status <> 'cancelled' OR card_encrypted IS NOT NULL OR retired_card_encrypted IS NOT NULL;

ALTER TABLE donations
  -- how often a donor wants to give; set on the gift that starts a pledge
  ADD COLUMN recurring_interval text CHECK (recurring_interval IN ('monthly','quarterly','annually')),
  ADD COLUMN pledge_id uuid,
  -- number of the pledge's period that the gift pays; 0 is the gift that started the pledge
  ADD COLUMN period integer CHECK (period >= 0),
  ADD CONSTRAINT donations_period CHECK ((pledge_id IS NULL) = (period IS NULL)),
  ADD CONSTRAINT donations_period_unique UNIQUE (organization_id, pledge_id, period),
  ADD CONSTRAINT donations_pledge FOREIGN KEY (organization_id, pledge_id)
    REFERENCES recurring_pledges (organization_id, id);

CREATE TABLE pledge_periods (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  pledge_id uuid NOT NULL,
  n integer NOT NULL CHECK (n >= 0),
  due_at timestamptz NOT NULL,
  donation_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open','paid','missed')),
  -- number of charges that the process has claimed; the number of a charge is part of its idempotency key
  tries smallint NOT NULL DEFAULT 0 CHECK (tries >= 0),
  -- number of charges that were declined; a charge that the provider never answered is no decline
  declines smallint NOT NULL DEFAULT 0 CHECK (declines >= 0 AND declines <= tries),
  -- when the kept card is charged next; null: it is not charged again for this period
  next_try_at timestamptz DEFAULT now(),
  -- The process has read the status of the pledge for the last time before it confirms the charge. From then on a
  -- cancellation cannot prevent the charge, and its money is returned.
  confirming_at timestamptz,
  missed_reason text CHECK (missed_reason IN ('declined','withdrawn')),
  closed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pledge_periods_closed CHECK ((status = 'open') = (closed_at IS NULL)),
  CONSTRAINT pledge_periods_missed CHECK ((status = 'missed') = (missed_reason IS NOT NULL)),
  UNIQUE (organization_id, id),
  CONSTRAINT pledge_periods_once UNIQUE (organization_id, pledge_id, n),
  CONSTRAINT pledge_periods_donation_once UNIQUE (organization_id, donation_id),
  FOREIGN KEY (organization_id, pledge_id) REFERENCES recurring_pledges (organization_id, id),
  FOREIGN KEY (organization_id, donation_id) REFERENCES donations (organization_id, id)
);
CREATE UNIQUE INDEX pledge_periods_one_open ON pledge_periods (organization_id, pledge_id) WHERE status = 'open';
CREATE INDEX pledge_periods_open ON pledge_periods (id) WHERE status = 'open';

-- Mails to the donor of a pledge.
CREATE TABLE pledge_notices (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  pledge_id uuid NOT NULL,
  kind text NOT NULL
    CHECK (kind IN ('started','declined','cancelled','paused','resumed','returned','upcoming')),
  -- the period that the mail is about; null: it is about the pledge
  period integer CHECK (period > 0),
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting','mailed','undeliverable')),
  created_at timestamptz NOT NULL DEFAULT now(),
  concluded_at timestamptz,
  CONSTRAINT pledge_notices_concluded CHECK ((status = 'waiting') = (concluded_at IS NULL)),
  UNIQUE (organization_id, id),
  CONSTRAINT pledge_notices_once UNIQUE (organization_id, pledge_id, kind, period),
  FOREIGN KEY (organization_id, pledge_id) REFERENCES recurring_pledges (organization_id, id)
);
CREATE INDEX pledge_notices_waiting ON pledge_notices (organization_id, pledge_id) WHERE status = 'waiting';
