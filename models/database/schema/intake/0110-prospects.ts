import type { Migration } from '../../schemaFiles.js';

/** Creates intake profiles of prospective members with their stage, and crossings with the fields that each copies. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE pnm_profiles (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      chapter_id uuid NOT NULL,
      membership_id uuid NOT NULL,
      stage text NOT NULL DEFAULT 'not_started'
        CHECK (stage IN ('not_started', 'approved', 'in_progress', 'completed', 'rejected', 'withdrawn')),
      stage_reason text CHECK (length(stage_reason) <= 500),
      crossed_at timestamptz,
      birth_date date,
      expected_graduation_semester text CHECK (length(expected_graduation_semester) <= 50),
      -- calendar year
      expected_graduation_year int CHECK (expected_graduation_year BETWEEN 1900 AND 2100),
      phone_number text CHECK (length(phone_number) <= 40),
      permanent_address text CHECK (length(permanent_address) <= 1000),
      ethnicity text CHECK (length(ethnicity) <= 100),
      place_of_birth text CHECK (length(place_of_birth) <= 200),
      gpa double precision CHECK (gpa BETWEEN 0 AND 100),
      year_in_college text CHECK (length(year_in_college) <= 50),
      organizations_memberships text CHECK (length(organizations_memberships) <= 5000),
      honors_achievements text CHECK (length(honors_achievements) <= 5000),
      other_activities text CHECK (length(other_activities) <= 5000),
      community_involvement text CHECK (length(community_involvement) <= 5000),
      emergency_contact_name text CHECK (length(emergency_contact_name) <= 200),
      emergency_contact_phone text CHECK (length(emergency_contact_phone) <= 40),
      degree_type text CHECK (length(degree_type) <= 100),
      admin_notes text CHECK (length(admin_notes) <= 5000),
      version int NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT pnm_profiles_one_a_membership UNIQUE (organization_id, membership_id),
      CONSTRAINT pnm_profiles_completed CHECK (stage <> 'completed' OR crossed_at IS NOT NULL),
      FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id)
    );
    CREATE INDEX pnm_profiles_queue ON pnm_profiles (organization_id, chapter_id, stage, id);
    CREATE INDEX pnm_profiles_stages ON pnm_profiles (organization_id, stage, id);

    CREATE TABLE crossings (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      membership_id uuid NOT NULL,
      -- null after the person was erased
      profile_id uuid,
      crossed_at timestamptz NOT NULL,
      started_by uuid REFERENCES users,
      carried_at timestamptz,
      welcomed_at timestamptz,
      cancelled_at timestamptz,
      reverted_at timestamptz,
      reverted_by uuid REFERENCES users,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id),
      FOREIGN KEY (organization_id, profile_id) REFERENCES pnm_profiles (organization_id, id) ON DELETE SET NULL (profile_id)
    );
    -- of two concurrent triggers, one creates the crossing
    CREATE UNIQUE INDEX crossings_one_live ON crossings (organization_id, membership_id) WHERE reverted_at IS NULL;
    CREATE INDEX crossings_of_profile ON crossings (organization_id, profile_id);
    CREATE INDEX crossings_waiting ON crossings (id)
      WHERE welcomed_at IS NULL AND cancelled_at IS NULL AND reverted_at IS NULL;

    CREATE TABLE crossing_fields (
      organization_id uuid NOT NULL,
      crossing_id uuid NOT NULL,
      field text NOT NULL CHECK (field IN ('date_of_birth', 'graduation', 'phone_number', 'permanent_address_line1',
        'crossing_date', 'crossing_semester', 'ethnicity')),
      fate text NOT NULL CHECK (fate IN ('copied', 'kept_member_value', 'source_empty', 'season_not_recognised', 'too_long',
        'out_of_range', 'awaits_account')),
      PRIMARY KEY (organization_id, crossing_id, field),
      FOREIGN KEY (organization_id, crossing_id) REFERENCES crossings (organization_id, id)
    );
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.follow_prospects() CASCADE;
    DROP FUNCTION IF EXISTS app.carry_to_account() CASCADE;
    DROP TABLE crossing_fields, crossings, pnm_profiles;
  `);
