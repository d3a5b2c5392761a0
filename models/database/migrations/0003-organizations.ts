import { isolate, TIMES, touched } from '../isolation.js';
import type { Migration } from '../migrate.js';

export const MEMBERSHIP_STATUSES = `('pnm','undergrad','associate','alumni','active_alumni','lifetime_alumni','disaffiliated','inactive')`;

/** Organizations, their regions, chapters, terms and people. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    CREATE TABLE organizations (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
      slug text NOT NULL CHECK (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'),
      org_type text NOT NULL DEFAULT 'fraternity' CHECK (length(org_type) BETWEEN 1 AND 50),
      is_active boolean NOT NULL DEFAULT true,
      primary_color text CHECK (length(primary_color) <= 40),
      accepts_account_requests boolean NOT NULL DEFAULT false,
      name_check_threshold double precision NOT NULL DEFAULT 0.85 CHECK (name_check_threshold BETWEEN 0 AND 1),
      timezone text NOT NULL DEFAULT 'UTC',
      version integer NOT NULL DEFAULT 1,
      ${TIMES},
      CONSTRAINT organizations_slug_unique UNIQUE (slug)
    );
    ${touched('organizations')}
    -- looked up before a tenant is known, changed only from inside it
    ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
    ALTER TABLE organizations FORCE ROW LEVEL SECURITY;
    CREATE POLICY look_up ON organizations FOR SELECT TO ${runtime} USING (true);
    CREATE POLICY change_own ON organizations FOR UPDATE TO ${runtime} USING (id = (SELECT app.org_id()));
    CREATE POLICY owner_sees_all ON organizations TO CURRENT_USER USING (true) WITH CHECK (true);
    GRANT SELECT, UPDATE ON organizations TO ${runtime};

    CREATE TABLE regions (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
      states text[] NOT NULL DEFAULT '{}',
      version integer NOT NULL DEFAULT 1,
      ${TIMES},
      UNIQUE (organization_id, id),
      CONSTRAINT regions_name_unique UNIQUE (organization_id, name)
    );
    ${touched('regions')}
    ${isolate('regions', runtime)}

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
      ${TIMES},
      UNIQUE (organization_id, id),
      CONSTRAINT chapters_name_unique UNIQUE (organization_id, name),
      FOREIGN KEY (organization_id, region_id) REFERENCES regions (organization_id, id)
    );
    CREATE INDEX chapters_region ON chapters (organization_id, region_id);
    ${touched('chapters')}
    ${isolate('chapters', runtime)}

    CREATE TABLE terms (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      starts_on date NOT NULL,
      ends_on date NOT NULL,
      version integer NOT NULL DEFAULT 1,
      ${TIMES},
      CONSTRAINT terms_dates CHECK (starts_on < ends_on),
      UNIQUE (organization_id, id),
      CONSTRAINT terms_name_unique UNIQUE (organization_id, name),
      CONSTRAINT terms_start_unique UNIQUE (organization_id, starts_on)
    );
    ${touched('terms')}
    ${isolate('terms', runtime)}
    -- the row lock on the organization makes two concurrent terms see one another; 'the current term' stays one
    CREATE FUNCTION app.keep_terms_apart() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM 1 FROM organizations WHERE id = NEW.organization_id FOR NO KEY UPDATE;
      IF EXISTS (SELECT 1 FROM terms WHERE organization_id = NEW.organization_id AND id <> NEW.id
                    AND starts_on <= NEW.ends_on AND ends_on >= NEW.starts_on) THEN
        RAISE EXCEPTION 'terms do not overlap' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'terms_no_overlap';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER terms_apart BEFORE INSERT OR UPDATE OF starts_on, ends_on ON terms
      FOR EACH ROW EXECUTE FUNCTION app.keep_terms_apart();

    CREATE TABLE memberships (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      user_id uuid NOT NULL REFERENCES users,
      chapter_id uuid NOT NULL,
      role text NOT NULL DEFAULT 'member' CHECK (role IN ('member','officer','president','advisor','alumni')),
      status text NOT NULL DEFAULT 'undergrad' CHECK (status IN ${MEMBERSHIP_STATUSES}),
      joined_date date,
      graduation_year integer CONSTRAINT memberships_graduation_year CHECK (graduation_year BETWEEN 1900 AND 2100),
      graduation_season text CHECK (graduation_season IN ('FALL','SPRING','SUMMER')),
      pledge_class text CHECK (length(pledge_class) <= 100),
      line_number integer CHECK (line_number BETWEEN 0 AND 10000),
      crossing_semester text CHECK (length(crossing_semester) <= 50),
      crossing_date date,
      version integer NOT NULL DEFAULT 1,
      ${TIMES},
      CONSTRAINT memberships_season_requires_year CHECK (graduation_season IS NULL OR graduation_year IS NOT NULL),
      UNIQUE (organization_id, id),
      UNIQUE (organization_id, chapter_id, id),
      CONSTRAINT memberships_user_chapter_unique UNIQUE (organization_id, user_id, chapter_id),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id)
    );
    CREATE INDEX memberships_roster ON memberships (organization_id, chapter_id, status, id);
    ${touched('memberships')}
    ${isolate('memberships', runtime)}

    CREATE TABLE organization_admins (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      user_id uuid NOT NULL REFERENCES users,
      title text CHECK (length(title) <= 100),
      is_active boolean NOT NULL DEFAULT true,
      version integer NOT NULL DEFAULT 1,
      ${TIMES},
      UNIQUE (organization_id, id),
      CONSTRAINT organization_admins_user_unique UNIQUE (organization_id, user_id)
    );
    ${touched('organization_admins')}
    ${isolate('organization_admins', runtime)}

    CREATE TABLE regional_admins (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      region_id uuid NOT NULL,
      user_id uuid NOT NULL REFERENCES users,
      role text NOT NULL CHECK (role IN ('regional_director','coordinator','advisor')),
      title text CHECK (length(title) <= 100),
      is_active boolean NOT NULL DEFAULT true,
      version integer NOT NULL DEFAULT 1,
      ${TIMES},
      UNIQUE (organization_id, id),
      CONSTRAINT regional_admins_user_region_unique UNIQUE (organization_id, region_id, user_id),
      FOREIGN KEY (organization_id, region_id) REFERENCES regions (organization_id, id)
    );
    CREATE INDEX regional_admins_user ON regional_admins (organization_id, user_id);
    ${touched('regional_admins')}
    ${isolate('regional_admins', runtime)}

    -- the row lock on the organization makes two concurrent deactivations see one another
    CREATE FUNCTION app.keep_an_admin() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM 1 FROM organizations WHERE id = OLD.organization_id FOR NO KEY UPDATE;
      IF NOT EXISTS (SELECT 1 FROM organization_admins
                      WHERE organization_id = OLD.organization_id AND is_active AND id <> OLD.id) THEN
        RAISE EXCEPTION 'the last active admin stays' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'last_admin';
      END IF;
      RETURN coalesce(NEW, OLD);
    END $$;
    CREATE TRIGGER organization_admins_keep_one BEFORE UPDATE OF is_active ON organization_admins
      FOR EACH ROW WHEN (OLD.is_active AND NOT NEW.is_active) EXECUTE FUNCTION app.keep_an_admin();
    CREATE TRIGGER organization_admins_keep_one_on_delete BEFORE DELETE ON organization_admins
      FOR EACH ROW WHEN (OLD.is_active) EXECUTE FUNCTION app.keep_an_admin();
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    DROP TABLE regional_admins, organization_admins, memberships, terms, chapters, regions, organizations;
    DROP FUNCTION app.keep_an_admin(), app.keep_terms_apart();
  `);
