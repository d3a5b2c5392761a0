-- Application forms, drafts, and submitted applications in versions.

CREATE TABLE pnm_application_configs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  questions jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(questions) = 'array' AND octet_length(questions::text) <= 200000),
  required_fields jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(required_fields) = 'array'),
  attachments jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(attachments) = 'array'),
  consents jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(consents) = 'array'),
  introduction text CHECK (length(introduction) <= 5000),
  confirmation text CHECK (length(confirmation) <= 2000),
  minimum_gpa double precision CHECK (minimum_gpa > 0),
  gpa_scale double precision NOT NULL DEFAULT 4 CHECK (gpa_scale BETWEEN 1 AND 100),
  gpa_gate text NOT NULL DEFAULT 'flag' CHECK (gpa_gate IN ('flag', 'refuse')),
  reference_letters int NOT NULL DEFAULT 0 CHECK (reference_letters BETWEEN 0 AND 5),
  reference_letter_days int NOT NULL DEFAULT 21 CHECK (reference_letter_days BETWEEN 1 AND 90),
  verify_email boolean NOT NULL DEFAULT true,
  notification_routing jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(notification_routing) = 'array'),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT pnm_application_configs_one UNIQUE (organization_id),
  CONSTRAINT pnm_application_configs_gpa CHECK (minimum_gpa <= gpa_scale)
);

CREATE TABLE pnm_applications (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  recruitment_period_id uuid NOT NULL,
  -- chapter, address and names of the current version; while no version is current, those of the first version
  chapter_id uuid NOT NULL,
  email text NOT NULL CHECK (length(email) <= 254),
  first_name text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 100),
  last_name text NOT NULL CHECK (length(last_name) BETWEEN 1 AND 100),
  state text NOT NULL DEFAULT 'unconfirmed' CHECK (state IN ('unconfirmed', 'received', 'withdrawn')),
  -- why the application was not accepted: the address belongs to a member or a former member
  standing text CHECK (standing IN ('already_member', 'former_member')),
  is_proven boolean NOT NULL DEFAULT false,
  below_minimum_gpa boolean NOT NULL DEFAULT false,
  -- obstacles to an approval that are waived by name
  waived jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(waived) = 'array'),
  waiver_reason text CHECK (length(waiver_reason) <= 500),
  profile_id uuid,
  received_at timestamptz,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT pnm_applications_one UNIQUE (organization_id, recruitment_period_id, email),
  CONSTRAINT pnm_applications_waiver CHECK ((waived = '[]') = (waiver_reason IS NULL)),
  CONSTRAINT pnm_applications_received CHECK (state = 'unconfirmed' OR received_at IS NOT NULL),
  CONSTRAINT pnm_applications_nothing CHECK (standing IS NULL OR profile_id IS NULL),
  FOREIGN KEY (organization_id, recruitment_period_id) REFERENCES recruitment_periods (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, profile_id) REFERENCES pnm_profiles (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX pnm_applications_queue ON pnm_applications (organization_id, chapter_id, id);
CREATE INDEX pnm_applications_all ON pnm_applications (organization_id, id) WHERE state <> 'unconfirmed';
CREATE INDEX pnm_applications_of_profile ON pnm_applications (organization_id, profile_id, id);
CREATE INDEX pnm_applications_of_address ON pnm_applications (organization_id, email);
CREATE INDEX pnm_applications_unconfirmed ON pnm_applications (created_at) WHERE state = 'unconfirmed';

CREATE TABLE pnm_application_versions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  application_id uuid NOT NULL,
  chapter_id uuid NOT NULL,
  -- the answers, with the wording of the questions
  contents jsonb NOT NULL CHECK (octet_length(contents::text) <= 200000),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'current', 'archived')),
  -- digest of the token that opens the applicant's status page
  token_hash text NOT NULL,
  -- digest of the mailed token that confirms the mailbox; null: the token was used, or none was needed
  confirm_hash text,
  confirm_until timestamptz,
  confirmed_at timestamptz,
  -- whether the sender was told that the mailbox must confirm
  asks_proof boolean NOT NULL DEFAULT true,
  -- The sender's request that is not carried out yet; 'counted' makes the version current. For versions that need no
  -- proof of the address, a process makes them current or withdraws them outside of the API request: the duration of
  -- the request would otherwise reveal whether the address has an account.
  wants text CHECK (wants IN ('counted', 'withdrawn', 'erased')),
  wanted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT pnm_application_versions_token UNIQUE (organization_id, token_hash),
  CONSTRAINT pnm_application_versions_confirm UNIQUE (organization_id, confirm_hash),
  -- a current version may still have a confirmation token, because the mailbox can be confirmed later; an archived
  -- version has none
  CONSTRAINT pnm_application_versions_archived CHECK (state <> 'archived' OR confirm_hash IS NULL),
  CONSTRAINT pnm_application_versions_wanted CHECK ((wants IS NULL) = (wanted_at IS NULL)),
  CONSTRAINT pnm_application_versions_wants CHECK (wants IS NULL OR NOT asks_proof),
  FOREIGN KEY (organization_id, application_id) REFERENCES pnm_applications (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id)
);
CREATE UNIQUE INDEX pnm_application_versions_current ON pnm_application_versions (organization_id, application_id)
  WHERE state = 'current';
CREATE INDEX pnm_application_versions_of ON pnm_application_versions (organization_id, application_id, id);
-- for the deletion of expired unconfirmed versions and drafts of all organizations, the oldest first
CREATE INDEX pnm_application_versions_unproven ON pnm_application_versions (confirm_until)
  WHERE state = 'pending' AND asks_proof;
CREATE INDEX pnm_application_versions_unasked ON pnm_application_versions (id)
  WHERE state = 'pending' AND NOT asks_proof;
CREATE INDEX pnm_application_versions_wanting ON pnm_application_versions (organization_id, id) WHERE wants IS NOT NULL;

CREATE TABLE pnm_drafts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  token_hash text NOT NULL,
  contents jsonb NOT NULL DEFAULT '{}' CHECK (octet_length(contents::text) <= 65536),
  expires_at timestamptz NOT NULL,
  -- the version that the draft became; kept, so that a repeated submission gets the same answer
  version_id uuid,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT pnm_drafts_token UNIQUE (organization_id, token_hash),
  FOREIGN KEY (organization_id, version_id) REFERENCES pnm_application_versions (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX pnm_drafts_of_version ON pnm_drafts (organization_id, version_id);
CREATE INDEX pnm_drafts_expired ON pnm_drafts (expires_at);

-- Files of applicants: they belong to a draft, then to its application.
CREATE TABLE pnm_attachments (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  draft_id uuid,
  application_id uuid,
  kind text NOT NULL CHECK (kind IN ('resume', 'headshot', 'transcript', 'cover_letter')),
  -- null: refused as infected; the row stays, so that the sender is notified and can send another
  file_id uuid,
  refused_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT pnm_attachments_of_one CHECK (num_nonnulls(draft_id, application_id) = 1),
  CONSTRAINT pnm_attachments_refused CHECK ((file_id IS NULL) = (refused_at IS NOT NULL)),
  CONSTRAINT pnm_attachments_file UNIQUE (organization_id, file_id),
  FOREIGN KEY (organization_id, draft_id) REFERENCES pnm_drafts (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, application_id) REFERENCES pnm_applications (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, file_id) REFERENCES stored_files (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX pnm_attachments_of_draft ON pnm_attachments (organization_id, draft_id, kind) WHERE draft_id IS NOT NULL;
CREATE UNIQUE INDEX pnm_attachments_of_application ON pnm_attachments (organization_id, application_id, kind)
  WHERE application_id IS NOT NULL;
