-- Rollovers: the graduating members that a preview listed become alumni in one run, which can be reverted.
CREATE TABLE rollovers (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- the calendar year in which the academic year ends
  academic_year integer NOT NULL CHECK (academic_year BETWEEN 1900 AND 2100),
  through_season text NOT NULL CHECK (through_season IN ('FALL','SPRING','SUMMER')),
  to_status text NOT NULL DEFAULT 'alumni' CHECK (to_status IN ('alumni','active_alumni','lifetime_alumni')),
  -- ids of the chapters; null: all chapters
  chapters jsonb,
  preview_hash text NOT NULL,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running','completed','cancelled','stopped_right_lost',
    'reverting','reverted','revert_stopped_right_lost')),
  members_planned integer NOT NULL DEFAULT 0,
  members_moved integer NOT NULL DEFAULT 0,
  members_skipped integer NOT NULL DEFAULT 0,
  members_returned integer NOT NULL DEFAULT 0,
  members_kept integer NOT NULL DEFAULT 0,
  started_by uuid REFERENCES users,
  reverted_by uuid REFERENCES users,
  ended_at timestamptz,
  revert_started_at timestamptz,
  reverted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT rollovers_counted CHECK (members_moved + members_skipped <= members_planned
    AND members_returned + members_kept <= members_moved),
  CONSTRAINT rollovers_whole CHECK ((status <> 'completed' OR members_moved + members_skipped = members_planned)
    AND (status <> 'reverted' OR members_returned + members_kept = members_moved)),
  CONSTRAINT rollovers_ended CHECK ((status = 'running') = (ended_at IS NULL)
    AND (status IN ('reverting','reverted','revert_stopped_right_lost')) = (revert_started_at IS NOT NULL)
    AND (status = 'reverted') = (reverted_at IS NOT NULL))
);
CREATE UNIQUE INDEX rollovers_one_running ON rollovers (organization_id) WHERE status IN ('running','reverting');
CREATE INDEX rollovers_list ON rollovers (organization_id, created_at, id);

-- preview and result of each member
CREATE TABLE rollover_lines (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  rollover_id uuid NOT NULL,
  membership_id uuid NOT NULL,
  chapter_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('undergrad','associate')),
  role text NOT NULL CHECK (role IN ('member','officer','president','advisor','alumni')),
  graduation_year integer NOT NULL,
  graduation_season text CHECK (graduation_season IN ('FALL','SPRING','SUMMER')),
  outcome text NOT NULL DEFAULT 'waiting' CHECK (outcome IN ('waiting','moved','skipped','returned','kept')),
  -- a code: why a member was skipped or kept, or not completely restored
  why text CHECK (why ~ '^[a-z_]{1,40}$'),
  -- number of the period that the run wrote into the membership's history
  period_ordinal integer,
  -- offices that the run ended
  ended_terms uuid[] NOT NULL DEFAULT '{}',
  UNIQUE (organization_id, rollover_id, membership_id),
  CONSTRAINT rollover_lines_why CHECK (CASE outcome WHEN 'skipped' THEN why IS NOT NULL WHEN 'kept' THEN why IS NOT NULL
    WHEN 'returned' THEN true ELSE why IS NULL END),
  CONSTRAINT rollover_lines_moved CHECK ((outcome IN ('moved','returned','kept')) = (period_ordinal IS NOT NULL)),
  FOREIGN KEY (organization_id, rollover_id) REFERENCES rollovers (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
    ON UPDATE CASCADE
);
CREATE INDEX rollover_lines_list ON rollover_lines (organization_id, rollover_id, id);
CREATE INDEX rollover_lines_outcome ON rollover_lines (organization_id, rollover_id, outcome, id);
CREATE INDEX rollover_lines_membership ON rollover_lines (organization_id, chapter_id, membership_id);
