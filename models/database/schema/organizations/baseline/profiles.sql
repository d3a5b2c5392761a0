-- Data of members beside their memberships: profiles, demographic data, onboarding, and completeness.

-- A profile per person and organization, created with the first membership: definitions/welcome_members.sql.
CREATE TABLE member_profiles (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL REFERENCES users,
  preferred_name text CHECK (length(preferred_name) BETWEEN 1 AND 100),
  date_of_birth date,
  permanent_address_line1 text CHECK (length(permanent_address_line1) BETWEEN 1 AND 255),
  permanent_address_line2 text CHECK (length(permanent_address_line2) BETWEEN 1 AND 255),
  city text CHECK (length(city) BETWEEN 1 AND 100),
  state text CHECK (length(state) BETWEEN 1 AND 50),
  postal_code text CHECK (length(postal_code) BETWEEN 1 AND 20),
  country text CHECK (length(country) BETWEEN 1 AND 100),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT member_profiles_person UNIQUE (organization_id, user_id),
  CONSTRAINT member_profiles_born CHECK (date_of_birth >= '1900-01-01')
);
CREATE INDEX member_profiles_user ON member_profiles (user_id);

-- Demographic data. It is stored apart from profiles, because only the readers that the specification names may see it.
CREATE TABLE member_demographics (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL REFERENCES users,
  ethnicity text CHECK (length(ethnicity) BETWEEN 1 AND 100),
  gender text CHECK (length(gender) BETWEEN 1 AND 100),
  pronouns text CHECK (length(pronouns) BETWEEN 1 AND 50),
  first_generation boolean,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT member_demographics_person UNIQUE (organization_id, user_id)
);
CREATE INDEX member_demographics_user ON member_demographics (user_id);

-- completion is not stored: it is read from facts (models/organizations/profiles/readOnboarding.ts)
CREATE TABLE onboarding_items (
  organization_id uuid NOT NULL REFERENCES organizations,
  membership_id uuid NOT NULL,
  item text NOT NULL CHECK (item IN ('profile', 'consents', 'sign_in')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, membership_id, item),
  FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id) ON DELETE CASCADE
);

-- Fields that an organization counts for the completeness of members' records; no row: the built-in fields.
CREATE TABLE completeness_configs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- [{field, weight, statuses}]; contains no personal values
  fields jsonb NOT NULL CHECK (jsonb_typeof(fields) = 'array' AND octet_length(fields::text) <= 10000),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT completeness_configs_one UNIQUE (organization_id)
);
