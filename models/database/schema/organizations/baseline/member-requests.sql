-- Requests about memberships: to add a member, for another status, and for a transfer to another chapter.

-- Requests of officers to add a member, where the organization lets them only request it.
CREATE TABLE member_add_requests (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  -- null after the person was erased; the names are then erased as well
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
  -- true if the regional decision was skipped, because no person other than the requester could make it
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
-- Index for counting pending requests, which runs each minute: definitions/waiting_approvals.sql.
CREATE INDEX member_add_requests_waiting ON member_add_requests (organization_id, chapter_id)
  WHERE status IN ('pending_regional','pending_organization');

-- Requests of members for another status. Officers decide; if officers may not make that change, the organization
-- decides.
CREATE TABLE status_change_requests (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  membership_id uuid NOT NULL,
  -- chapter of the request
  chapter_id uuid NOT NULL,
  -- the status at the filing, so that a reviewer sees whether it changed since
  from_status text NOT NULL CHECK (from_status IN
    ('pnm','undergrad','associate','alumni','active_alumni','lifetime_alumni','disaffiliated','inactive')),
  to_status text NOT NULL CHECK (to_status IN
    ('pnm','undergrad','associate','alumni','active_alumni','lifetime_alumni','disaffiliated','inactive')),
  effective_on date,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
  -- null: none, or the sweep has removed the file
  document_id uuid,
  status text NOT NULL CHECK (status IN ('pending_officer','pending_organization','approved','rejected','withdrawn')),
  requested_by uuid NOT NULL REFERENCES users,
  first_tier_skipped boolean NOT NULL DEFAULT false,
  first_reviewed_by uuid REFERENCES users,
  first_reviewed_at timestamptz,
  first_review_notes text CHECK (length(first_review_notes) <= 2000),
  reviewed_by uuid REFERENCES users,
  reviewed_at timestamptz,
  review_notes text CHECK (length(review_notes) <= 2000),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT status_change_requests_own CHECK (requested_by <> reviewed_by AND requested_by <> first_reviewed_by),
  CONSTRAINT status_change_requests_reviewed CHECK (
    (status IN ('approved','rejected')) = (reviewed_at IS NOT NULL) AND (reviewed_at IS NULL) = (reviewed_by IS NULL)
    AND (first_reviewed_at IS NULL) = (first_reviewed_by IS NULL)),
  CONSTRAINT status_change_requests_reason CHECK (status <> 'rejected' OR review_notes IS NOT NULL),
  UNIQUE (organization_id, id),
  CONSTRAINT status_change_requests_document FOREIGN KEY (organization_id, document_id)
    REFERENCES stored_files (organization_id, id) ON DELETE SET NULL (document_id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id)
);
CREATE UNIQUE INDEX status_change_requests_open ON status_change_requests (organization_id, membership_id)
  WHERE status IN ('pending_officer','pending_organization');
CREATE INDEX status_change_requests_membership ON status_change_requests (organization_id, membership_id, id);
CREATE INDEX status_change_requests_status ON status_change_requests (organization_id, status, id);
CREATE INDEX status_change_requests_chapter ON status_change_requests (organization_id, chapter_id, id);
CREATE INDEX status_change_requests_waiting ON status_change_requests (organization_id, chapter_id)
  WHERE status IN ('pending_officer','pending_organization');
CREATE INDEX status_change_requests_requester ON status_change_requests (requested_by);
CREATE UNIQUE INDEX status_change_requests_one_document ON status_change_requests (organization_id, document_id)
  WHERE document_id IS NOT NULL;

-- Requests for a transfer; the destination decides, then the organization.
CREATE TABLE transfer_requests (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  membership_id uuid NOT NULL,
  -- chapter of the request
  chapter_id uuid NOT NULL,
  to_chapter_id uuid NOT NULL,
  effective_on date,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
  status text NOT NULL CHECK (status IN ('pending_destination','pending_organization','approved','rejected','withdrawn')),
  requested_by uuid NOT NULL REFERENCES users,
  first_tier_skipped boolean NOT NULL DEFAULT false,
  first_reviewed_by uuid REFERENCES users,
  first_reviewed_at timestamptz,
  first_review_notes text CHECK (length(first_review_notes) <= 2000),
  reviewed_by uuid REFERENCES users,
  reviewed_at timestamptz,
  review_notes text CHECK (length(review_notes) <= 2000),
  -- the result: the new membership, or the change that will create it on its day
  new_membership_id uuid,
  scheduled_change_id uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT transfer_requests_own CHECK (requested_by <> reviewed_by AND requested_by <> first_reviewed_by),
  CONSTRAINT transfer_requests_reviewed CHECK (
    (status IN ('approved','rejected')) = (reviewed_at IS NOT NULL) AND (reviewed_at IS NULL) = (reviewed_by IS NULL)
    AND (first_reviewed_at IS NULL) = (first_reviewed_by IS NULL)),
  CONSTRAINT transfer_requests_reason CHECK (status <> 'rejected' OR review_notes IS NOT NULL),
  CONSTRAINT transfer_requests_effect CHECK (
    (status = 'approved') = (num_nonnulls(new_membership_id, scheduled_change_id) = 1)
    AND num_nonnulls(new_membership_id, scheduled_change_id) < 2),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, to_chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id),
  FOREIGN KEY (organization_id, new_membership_id) REFERENCES memberships (organization_id, id),
  FOREIGN KEY (organization_id, scheduled_change_id) REFERENCES membership_scheduled_changes (organization_id, id)
);
CREATE UNIQUE INDEX transfer_requests_open ON transfer_requests (organization_id, membership_id)
  WHERE status IN ('pending_destination','pending_organization');
CREATE INDEX transfer_requests_membership ON transfer_requests (organization_id, membership_id, id);
CREATE INDEX transfer_requests_status ON transfer_requests (organization_id, status, id);
CREATE INDEX transfer_requests_chapter ON transfer_requests (organization_id, chapter_id, id);
CREATE INDEX transfer_requests_to_chapter ON transfer_requests (organization_id, to_chapter_id, id);
CREATE INDEX transfer_requests_waiting ON transfer_requests (organization_id, to_chapter_id)
  WHERE status IN ('pending_destination','pending_organization');
CREATE INDEX transfer_requests_requester ON transfer_requests (requested_by);
