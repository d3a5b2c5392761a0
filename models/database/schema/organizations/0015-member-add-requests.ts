import type { Migration } from '../../schemaFiles.js';

/** Creates requests of officers for new members, for organizations that require approval. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE organizations ADD COLUMN officers_add_members text NOT NULL DEFAULT 'directly'
      CHECK (officers_add_members IN ('directly', 'by_request'));

    CREATE TABLE member_add_requests (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      chapter_id uuid NOT NULL,
      -- null: the person was erased, and the names with it
      email text CHECK (email = lower(btrim(email)) AND length(email) BETWEEN 3 AND 254),
      first_name text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 100),
      last_name text NOT NULL CHECK (length(last_name) BETWEEN 1 AND 100),
      role text NOT NULL DEFAULT 'member' CHECK (role IN ('member','officer','president','advisor','alumni')),
      joined_date date,
      graduation_year integer,
      graduation_season text CHECK (graduation_season IN ('FALL','SPRING','SUMMER')),
      pledge_class text CHECK (length(pledge_class) <= 100),
      crossing_semester text CHECK (length(crossing_semester) <= 50),
      justification text NOT NULL CHECK (length(justification) BETWEEN 1 AND 2000),
      status text NOT NULL CHECK (status IN ('pending_regional','pending_organization','approved','rejected','withdrawn')),
      requested_by uuid NOT NULL REFERENCES users,
      -- no other person could decide in the region
      first_tier_skipped boolean NOT NULL DEFAULT false,
      first_reviewed_by uuid REFERENCES users,
      first_reviewed_at timestamptz,
      first_review_notes text CHECK (length(first_review_notes) <= 2000),
      reviewed_by uuid REFERENCES users,
      reviewed_at timestamptz,
      review_notes text CHECK (length(review_notes) <= 2000),
      membership_id uuid,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT member_add_requests_graduation_year CHECK (graduation_year BETWEEN 1900 AND 2100),
      CONSTRAINT member_add_requests_season_requires_year CHECK (graduation_season IS NULL OR graduation_year IS NOT NULL),
      CONSTRAINT member_add_requests_own CHECK (requested_by <> reviewed_by AND requested_by <> first_reviewed_by),
      CONSTRAINT member_add_requests_reviewed CHECK (
        (status IN ('approved','rejected')) = (reviewed_at IS NOT NULL) AND (reviewed_at IS NULL) = (reviewed_by IS NULL)
        AND (first_reviewed_at IS NULL) = (first_reviewed_by IS NULL)),
      CONSTRAINT member_add_requests_reason CHECK (status <> 'rejected' OR review_notes IS NOT NULL),
      CONSTRAINT member_add_requests_effect CHECK ((status = 'approved') = (membership_id IS NOT NULL)),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
      FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id)
    );
    CREATE UNIQUE INDEX member_add_requests_open ON member_add_requests (organization_id, chapter_id, email)
      WHERE status IN ('pending_regional','pending_organization');
    CREATE INDEX member_add_requests_status ON member_add_requests (organization_id, status, id);
    CREATE INDEX member_add_requests_chapter ON member_add_requests (organization_id, chapter_id, id);
    CREATE INDEX member_add_requests_email ON member_add_requests (email) WHERE email IS NOT NULL;
    CREATE INDEX member_add_requests_requester ON member_add_requests (requested_by);
    CREATE INDEX member_add_requests_membership ON member_add_requests (organization_id, membership_id);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.keep_decided() CASCADE;
    DROP TABLE member_add_requests;
    ALTER TABLE organizations DROP COLUMN officers_add_members;
  `);
