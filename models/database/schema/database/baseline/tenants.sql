-- Tenants, on which every other area depends.

-- schema of the functions in definitions/
CREATE SCHEMA app;

CREATE TABLE organizations (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200)
    CONSTRAINT organizations_name_normalized CHECK (name IS NFC NORMALIZED),
  slug text NOT NULL CHECK (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'),
  org_type text NOT NULL DEFAULT 'fraternity' CHECK (length(org_type) BETWEEN 1 AND 50),
  is_active boolean NOT NULL DEFAULT true,
  -- whether the public directory lists the organization
  listed boolean NOT NULL DEFAULT true,
  primary_color text CHECK (length(primary_color) <= 40),
  accepts_account_requests boolean NOT NULL DEFAULT false,
  officers_add_members text NOT NULL DEFAULT 'directly'
    CHECK (officers_add_members IN ('directly', 'by_request')),
  impersonation_notices boolean NOT NULL DEFAULT true,
  name_check_threshold double precision NOT NULL DEFAULT 0.85 CHECK (name_check_threshold BETWEEN 0 AND 1),
  timezone text NOT NULL DEFAULT 'UTC',
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT organizations_slug_unique UNIQUE (slug)
);
CREATE INDEX organizations_listed ON organizations (name, id) WHERE is_active AND listed;
