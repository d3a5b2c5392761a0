-- Prospective members: intake profiles with their stage, proposed names, and crossings.

CREATE TABLE pnm_profiles (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  membership_id uuid NOT NULL,
  recruitment_period_id uuid,
  stage text NOT NULL DEFAULT 'not_started'
    CHECK (stage IN ('not_started', 'approved', 'in_progress', 'completed', 'rejected', 'withdrawn')),
  stage_reason text CHECK (length(stage_reason) <= 500),
  -- the stage before the period was closed, which a reopening restores
  closed_from text CHECK (closed_from IN ('not_started', 'approved', 'in_progress')),
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
  CONSTRAINT pnm_profiles_closed CHECK (closed_from IS NULL OR stage = 'rejected'),
  CONSTRAINT pnm_profiles_period FOREIGN KEY (organization_id, recruitment_period_id)
    REFERENCES recruitment_periods (organization_id, id),
  FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id)
);
CREATE INDEX pnm_profiles_queue ON pnm_profiles (organization_id, chapter_id, stage, id);
CREATE INDEX pnm_profiles_stages ON pnm_profiles (organization_id, stage, id);
CREATE INDEX pnm_profiles_of_period ON pnm_profiles (organization_id, recruitment_period_id, stage, membership_id);
CREATE INDEX pnm_profiles_in_period ON pnm_profiles (organization_id, recruitment_period_id, id);

-- Names that chapters propose for prospective members, for the organization to decide.
CREATE TABLE pnm_name_assignments (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  profile_id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- the name without case, accents and separators
  name_key text NOT NULL CHECK (length(name_key) BETWEEN 1 AND 200),
  status text NOT NULL CHECK (status IN ('proposed','approved','rejected','withdrawn')),
  requested_by uuid NOT NULL REFERENCES users,
  reviewed_by uuid REFERENCES users,
  reviewed_at timestamptz,
  review_notes text CHECK (length(review_notes) <= 2000),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pnm_name_assignments_own CHECK (requested_by <> reviewed_by),
  CONSTRAINT pnm_name_assignments_reviewed CHECK (
    (status IN ('approved','rejected')) = (reviewed_at IS NOT NULL) AND (reviewed_at IS NULL) = (reviewed_by IS NULL)),
  CONSTRAINT pnm_name_assignments_reason CHECK (status <> 'rejected' OR review_notes IS NOT NULL),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, profile_id) REFERENCES pnm_profiles (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX pnm_name_assignments_open ON pnm_name_assignments (organization_id, profile_id) WHERE status = 'proposed';
CREATE INDEX pnm_name_assignments_taken ON pnm_name_assignments (organization_id, chapter_id, name_key)
  WHERE status = 'approved';
CREATE INDEX pnm_name_assignments_status ON pnm_name_assignments (organization_id, status, id);
CREATE INDEX pnm_name_assignments_profile ON pnm_name_assignments (organization_id, profile_id, id);
CREATE INDEX pnm_name_assignments_requester ON pnm_name_assignments (requested_by);

-- Crossings: a prospective member becomes a member.
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
-- at most one unreverted crossing per membership: of two concurrent changes, only one creates it
CREATE UNIQUE INDEX crossings_one_live ON crossings (organization_id, membership_id) WHERE reverted_at IS NULL;
CREATE INDEX crossings_of_profile ON crossings (organization_id, profile_id);
CREATE INDEX crossings_waiting ON crossings (id)
  WHERE welcomed_at IS NULL AND cancelled_at IS NULL AND reverted_at IS NULL;

-- The outcome of each field that a crossing copies to the member.
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
