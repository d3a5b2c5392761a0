-- A foundation: its settings, the people who run it, its processor account, and what gifts are for.

CREATE TABLE foundation_configs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- Legal name and tax number. They are required before a campaign is published, because a receipt without them is not
  -- valid.
  legal_name text CHECK (length(legal_name) BETWEEN 1 AND 200),
  ein text CHECK (ein ~ '^[0-9]{2}-[0-9]{7}$'),
  mailing_address text CHECK (length(mailing_address) BETWEEN 1 AND 500),
  receipt_template_overrides jsonb NOT NULL DEFAULT '{}'
    CONSTRAINT foundation_configs_overrides CHECK (jsonb_typeof(receipt_template_overrides) = 'object'),
  timezone text NOT NULL DEFAULT 'UTC' CHECK (length(timezone) BETWEEN 1 AND 100),
  currency text NOT NULL DEFAULT 'usd' CHECK (currency ~ '^[a-z]{3}$'),
  min_amount_cents bigint NOT NULL DEFAULT 100 CHECK (min_amount_cents > 0),
  max_amount_cents bigint NOT NULL DEFAULT 2500000 CHECK (max_amount_cents <= 99999999),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT foundation_configs_one_per_organization UNIQUE (organization_id),
  CONSTRAINT foundation_configs_limits CHECK (min_amount_cents <= max_amount_cents),
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, currency)
);

CREATE TABLE foundation_admins (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  foundation_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('admin','editor')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT foundation_admins_once UNIQUE (organization_id, user_id),
  FOREIGN KEY (organization_id, foundation_id) REFERENCES foundation_configs (organization_id, id)
);
CREATE INDEX foundation_admins_user ON foundation_admins (user_id);

-- The account that takes the foundation's gifts: a processor of purpose 'foundation'.
CREATE TABLE foundation_payment_processors (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  foundation_id uuid NOT NULL,
  processor_id uuid NOT NULL,
  fee_pass_through boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT foundation_processors_one_per_foundation UNIQUE (organization_id, foundation_id),
  FOREIGN KEY (organization_id, foundation_id) REFERENCES foundation_configs (organization_id, id),
  FOREIGN KEY (organization_id, processor_id) REFERENCES org_payment_processors (organization_id, id)
);

CREATE TABLE funds (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  description text CHECK (length(description) BETWEEN 1 AND 2000),
  goal_cents bigint CHECK (goal_cents > 0),
  is_default boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  -- sum of the entries of its gifts, maintained by app.add_donation_entry
  total_cents bigint NOT NULL DEFAULT 0 CHECK (total_cents >= 0),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT funds_default_is_active CHECK (is_active OR NOT is_default),
  UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX funds_name_unique ON funds (organization_id, lower(name));
CREATE UNIQUE INDEX funds_one_default ON funds (organization_id) WHERE is_default;

CREATE TABLE campaigns (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  fund_id uuid NOT NULL,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  -- sanitized HTML
  description text CHECK (octet_length(description) BETWEEN 1 AND 102400),
  goal_cents bigint CHECK (goal_cents > 0),
  starts_on date,
  ends_on date,
  slug text NOT NULL CHECK (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$'),
  suggested_amounts bigint[] NOT NULL CHECK (cardinality(suggested_amounts) BETWEEN 1 AND 8
    AND 0 < ALL (suggested_amounts)),
  visibility text NOT NULL DEFAULT 'public' CHECK (visibility IN ('internal','public')),
  -- the picture on the page of the campaign
  hero_file_id uuid,
  -- what a donor receives in return, which the receipt must describe and value
  goods_description text CHECK (length(goods_description) BETWEEN 1 AND 500),
  goods_value_cents bigint CHECK (goods_value_cents > 0),
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft','active','closed')),
  published_at timestamptz,
  closed_at timestamptz,
  -- sum of the entries of its gifts, maintained by app.add_donation_entry
  raised_cents bigint NOT NULL DEFAULT 0 CHECK (raised_cents >= 0),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT campaigns_dates CHECK (starts_on <= ends_on),
  CONSTRAINT campaigns_goods CHECK ((goods_description IS NULL) = (goods_value_cents IS NULL)),
  CONSTRAINT campaigns_published CHECK ((status = 'draft') = (published_at IS NULL)),
  CONSTRAINT campaigns_closed CHECK ((status = 'closed') = (closed_at IS NOT NULL)),
  UNIQUE (organization_id, id),
  CONSTRAINT campaigns_slug_unique UNIQUE (organization_id, slug),
  FOREIGN KEY (organization_id, fund_id) REFERENCES funds (organization_id, id),
  FOREIGN KEY (organization_id, hero_file_id) REFERENCES stored_files (organization_id, id)
    ON DELETE SET NULL (hero_file_id)
);
CREATE UNIQUE INDEX campaigns_hero ON campaigns (organization_id, hero_file_id);
CREATE INDEX campaigns_fund ON campaigns (organization_id, fund_id);
CREATE INDEX campaigns_ending ON campaigns (organization_id, ends_on) WHERE status = 'active' AND ends_on IS NOT NULL;
