-- Recruitment periods: when an organization accepts applications, one per term.
CREATE TABLE recruitment_periods (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  term_id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  opens_at timestamptz NOT NULL,
  closes_at timestamptz NOT NULL,
  closed_message text CHECK (length(closed_message) <= 1000),
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'active', 'closed')),
  reopen_reason text CHECK (length(reopen_reason) <= 500),
  changed_by uuid REFERENCES users,
  -- turn: number of closings and reopenings so far; settled_turn: the last of these after which all prospects were
  -- updated
  turn int NOT NULL DEFAULT 0,
  settled_turn int NOT NULL DEFAULT 0,
  turned_at timestamptz,
  -- number of the last closing or reopening whose process was stopped before all applicants were updated, and why it
  -- was stopped
  stopped_turn int NOT NULL DEFAULT 0,
  stop_reason text CHECK (stop_reason IN ('cancelled','stopped_right_lost')),
  -- for unverified applications sent before this time: their links stay invalid even if the period is reopened
  links_ended_at timestamptz,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT recruitment_periods_term UNIQUE (organization_id, term_id),
  CONSTRAINT recruitment_periods_times CHECK (opens_at < closes_at),
  CONSTRAINT recruitment_periods_turns CHECK (settled_turn <= turn),
  CONSTRAINT recruitment_periods_stopped CHECK (stopped_turn <= turn),
  CONSTRAINT recruitment_periods_stop_reason CHECK ((stop_reason IS NOT NULL) = (turn > 0 AND stopped_turn = turn)),
  FOREIGN KEY (organization_id, term_id) REFERENCES terms (organization_id, id)
);
CREATE UNIQUE INDEX recruitment_periods_one_active ON recruitment_periods (organization_id) WHERE status = 'active';
CREATE INDEX recruitment_periods_waiting ON recruitment_periods (id) WHERE settled_turn < turn AND stopped_turn < turn;
