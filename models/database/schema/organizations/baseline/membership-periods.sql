-- History of memberships, by period. Written only by triggers: definitions/write_membership_period.sql.
CREATE TABLE membership_periods (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  membership_id uuid NOT NULL,
  -- Number of the period, from 1. If several periods begin on the same day, all but the last have no length.
  ordinal integer NOT NULL CHECK (ordinal > 0),
  status text NOT NULL CHECK (status IN
    ('pnm','undergrad','associate','alumni','active_alumni','lifetime_alumni','disaffiliated','inactive')),
  role text NOT NULL CHECK (role IN ('member','officer','president','advisor','alumni')),
  valid_from date NOT NULL,
  -- the day on which the next period begins; null: this is the current period
  valid_to date CONSTRAINT membership_periods_days CHECK (valid_to >= valid_from),
  -- what caused the change: for example an edit by hand, a transfer or a rollover
  source text NOT NULL CHECK (source ~ '^[a-z_]{1,40}$'),
  -- null: no actor is recorded
  actor_user_id uuid REFERENCES users,
  reason text CHECK (length(reason) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT membership_periods_ordinal UNIQUE (organization_id, membership_id, ordinal),
  FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
    ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX membership_periods_last ON membership_periods (organization_id, membership_id) WHERE valid_to IS NULL;
-- for counting a chapter's roster on a day by this index alone
CREATE INDEX membership_periods_roster ON membership_periods (organization_id, chapter_id, membership_id)
  INCLUDE (valid_from, valid_to, status, role);
