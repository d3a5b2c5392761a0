-- Structure of organizations: regions, chapters and terms.

-- Structure of organizations: regions, chapters and terms.

CREATE TABLE regions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  states text[] NOT NULL DEFAULT '{}',
  is_active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT regions_name_normalized CHECK (name IS NFC NORMALIZED),
  CONSTRAINT regions_name_unique UNIQUE (organization_id, name)
);

CREATE TABLE chapters (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  region_id uuid,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  designation text CHECK (length(designation) <= 50),
  university text CHECK (length(university) <= 200),
  city text CHECK (length(city) <= 100),
  state text CHECK (length(state) <= 50),
  founded_date date,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active','inactive','suspended')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT chapters_name_normalized CHECK (name IS NFC NORMALIZED),
  CONSTRAINT chapters_name_unique UNIQUE (organization_id, name),
  FOREIGN KEY (organization_id, region_id) REFERENCES regions (organization_id, id)
);
CREATE INDEX chapters_region ON chapters (organization_id, region_id);

-- Advisors of chapters, who need no account.
CREATE TABLE chapter_advisors (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  title text CHECK (length(title) <= 100),
  email text CHECK (length(email) <= 254),
  phone_number text CHECK (length(phone_number) <= 32),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id)
);
CREATE INDEX chapter_advisors_order ON chapter_advisors (organization_id, chapter_id, name, id);

CREATE TABLE terms (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  starts_on date NOT NULL,
  ends_on date NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT terms_dates CHECK (starts_on < ends_on),
  UNIQUE (organization_id, id),
  CONSTRAINT terms_name_normalized CHECK (name IS NFC NORMALIZED),
  CONSTRAINT terms_name_unique UNIQUE (organization_id, name),
  CONSTRAINT terms_start_unique UNIQUE (organization_id, starts_on)
);

-- Identity is created before organizations: its foreign key to chapters is added here.
ALTER TABLE sso_connections ADD CONSTRAINT sso_connections_provision_chapter
  FOREIGN KEY (organization_id, provision_chapter_id) REFERENCES chapters (organization_id, id);
