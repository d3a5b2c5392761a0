-- Provisioning of office-suite accounts for members who cross: settings, and the state of each account.

CREATE TABLE account_provisioning_configs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  provider text NOT NULL CHECK (provider IN ('workspace_suite','cloud_office')),
  domain text NOT NULL CHECK (domain ~ '^[a-z0-9-]+([.][a-z0-9-]+)+$' AND length(domain) <= 253),
  address_template text NOT NULL CHECK (length(address_template) BETWEEN 1 AND 100),
  unit text CHECK (length(unit) BETWEEN 1 AND 200),
  groups jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(groups) = 'array' AND jsonb_array_length(groups) <= 20),
  credentials_encrypted text NOT NULL,
  on_leave text NOT NULL DEFAULT 'keep' CHECK (on_leave IN ('keep','suspend')),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT account_provisioning_configs_one UNIQUE (organization_id)
);

-- Pauses: an organization's provider is not called until rests_until, or, if that is null, until the organization's
-- credentials change.
CREATE TABLE account_provisioning_rests (
  organization_id uuid PRIMARY KEY REFERENCES organizations,
  rests_until timestamptz,
  noted_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE account_provisioning_records (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  membership_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending','creating','active','failed','needs_attention','suspended')),
  -- the state that the membership requires; the process brings the account to it
  wants text NOT NULL DEFAULT 'active' CHECK (wants IN ('active','suspended')),
  -- the office suite in which the address was reserved
  provider text CHECK (provider IN ('workspace_suite','cloud_office')),
  address text CHECK (length(address) BETWEEN 3 AND 320),
  -- number appended to the address because other people have the address without it: 2, 3 and so on; 0 or 1: no number
  -- is appended
  address_number int NOT NULL DEFAULT 0 CHECK (address_number >= 0),
  -- the provider's id of the account; null until the provider has reported it
  account_id text CHECK (length(account_id) BETWEEN 1 AND 200),
  problem text CHECK (problem ~ '^[a-z_]{1,60}$'),
  password_claimed_at timestamptz,
  password_given_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT account_provisioning_records_one_a_membership UNIQUE (organization_id, membership_id),
  CONSTRAINT account_provisioning_records_active CHECK (status <> 'active' OR account_id IS NOT NULL),
  CONSTRAINT account_provisioning_records_place CHECK ((address_number = 0) = (provider IS NULL)),
  CONSTRAINT account_provisioning_records_problem CHECK ((status IN ('failed','needs_attention')) = (problem IS NOT NULL)),
  FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id)
);
CREATE UNIQUE INDEX account_provisioning_records_address
  ON account_provisioning_records (organization_id, lower(address)) WHERE address IS NOT NULL;
CREATE INDEX account_provisioning_records_list ON account_provisioning_records (organization_id, created_at, id);
CREATE INDEX account_provisioning_records_status
  ON account_provisioning_records (organization_id, status, created_at, id);
CREATE INDEX account_provisioning_records_open ON account_provisioning_records (id)
  WHERE status IN ('pending','creating') OR (status IN ('active','suspended') AND status <> wants);
