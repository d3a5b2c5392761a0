-- Accounts with payment processors, and the events they report.

-- Accounts with payment processors, and the events they report.

CREATE TABLE org_payment_processors (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  provider text NOT NULL CHECK (provider IN ('stripe','square','paypal','checkout')),
  label text NOT NULL CHECK (length(label) BETWEEN 1 AND 100),
  account_reference text CHECK (length(account_reference) <= 200),
  -- The provider's own id of the account. Null: the account was connected before this id was stored; the next rotation
  -- of its secrets adds it.
  gateway_account_id text CHECK (length(gateway_account_id) BETWEEN 1 AND 200),
  gateway_livemode boolean,
  publishable_key text CHECK (length(publishable_key) <= 300),
  secret_key_encrypted text NOT NULL,
  webhook_secret_encrypted text NOT NULL,
  -- the webhook secret before the current one, which is accepted until it expires
  previous_webhook_secret_encrypted text,
  previous_webhook_secret_expires_at timestamptz,
  disabled_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT payment_processors_account CHECK ((gateway_account_id IS NULL) = (gateway_livemode IS NULL)),
  CONSTRAINT payment_processors_previous_secret_ends
    CHECK ((previous_webhook_secret_encrypted IS NULL) = (previous_webhook_secret_expires_at IS NULL)),
  UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX payment_processors_one_active ON org_payment_processors (organization_id) WHERE disabled_at IS NULL;

-- Which organization uses which webhook secret, as keyed digests that are of no use without the key. Two organizations
-- cannot share a secret, because an event for one would then verify for the other.
CREATE TABLE payment_webhook_secrets (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  digest text NOT NULL CHECK (length(digest) BETWEEN 40 AND 200),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT webhook_secrets_of_one UNIQUE (digest)
);

-- Webhook events whose signature was verified. An event belongs to the tenant whose processor signed it.
CREATE TABLE webhook_events (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  processor_id uuid NOT NULL,
  event_id text NOT NULL CHECK (length(event_id) BETWEEN 1 AND 200),
  type text NOT NULL CHECK (length(type) BETWEEN 1 AND 100),
  payload jsonb NOT NULL,
  deliveries integer NOT NULL DEFAULT 1,
  outcome text CHECK (outcome IN ('applied','ignored')),
  processed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((outcome IS NULL) = (processed_at IS NULL)),
  UNIQUE (organization_id, id),
  CONSTRAINT webhook_events_once UNIQUE (organization_id, processor_id, event_id),
  CONSTRAINT webhook_events_processor FOREIGN KEY (organization_id, processor_id)
    REFERENCES org_payment_processors (organization_id, id)
);
CREATE INDEX webhook_events_waiting ON webhook_events (id) WHERE processed_at IS NULL;
CREATE INDEX webhook_events_waiting_of_processor ON webhook_events (organization_id, processor_id)
  WHERE processed_at IS NULL;
CREATE INDEX webhook_events_refund_changes ON webhook_events (organization_id, processor_id)
  WHERE type IN ('refund.failed','charge.refund.updated');
-- finds the events of a charge
CREATE INDEX webhook_events_charge ON webhook_events (organization_id, processor_id, (payload->>'intentId'), id);
