-- Members of organizations and their administrators.

-- Members of organizations and their administrators.

CREATE TABLE memberships (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL REFERENCES users,
  chapter_id uuid NOT NULL,
  role text NOT NULL DEFAULT 'member' CHECK (role IN ('member','officer','president','advisor','alumni')),
  status text NOT NULL DEFAULT 'undergrad' CHECK (status IN
    ('pnm','undergrad','associate','alumni','active_alumni','lifetime_alumni','disaffiliated','inactive')),
  joined_date date,
  graduation_year integer CONSTRAINT memberships_graduation_year CHECK (graduation_year BETWEEN 1900 AND 2100),
  graduation_season text CHECK (graduation_season IN ('FALL','SPRING','SUMMER')),
  pledge_class text CHECK (length(pledge_class) <= 100),
  line_number integer CHECK (line_number BETWEEN 0 AND 10000),
  crossing_semester text CHECK (length(crossing_semester) <= 50),
  crossing_date date,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT memberships_season_requires_year CHECK (graduation_season IS NULL OR graduation_year IS NOT NULL),
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, chapter_id, id),
  CONSTRAINT memberships_user_chapter_unique UNIQUE (organization_id, user_id, chapter_id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id)
);
CREATE INDEX memberships_roster ON memberships (organization_id, chapter_id, status, id);
CREATE INDEX memberships_offices ON memberships (organization_id, chapter_id) WHERE role IN ('officer','president');

-- Identity is created before organizations: its foreign key to memberships is added here.
ALTER TABLE impersonations ADD FOREIGN KEY (organization_id, membership_id)
  REFERENCES memberships (organization_id, id) ON DELETE CASCADE;

CREATE TABLE organization_admins (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  user_id uuid NOT NULL REFERENCES users,
  title text CHECK (length(title) <= 100),
  is_active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT organization_admins_user_unique UNIQUE (organization_id, user_id)
);

CREATE TABLE regional_admins (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  region_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  role text NOT NULL CHECK (role IN ('regional_director','coordinator','advisor')),
  title text CHECK (length(title) <= 100),
  is_active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT regional_admins_user_region_unique UNIQUE (organization_id, region_id, user_id),
  FOREIGN KEY (organization_id, region_id) REFERENCES regions (organization_id, id)
);
CREATE INDEX regional_admins_user ON regional_admins (organization_id, user_id);

-- Copy of all memberships and offices, maintained by triggers. Sign-in uses it, because it has no tenant yet.
CREATE TABLE affiliations (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations,
  kind text NOT NULL CHECK (kind IN ('member','organization_admin','regional_admin')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, organization_id, kind)
);
