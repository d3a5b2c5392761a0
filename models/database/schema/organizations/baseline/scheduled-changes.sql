-- Changes of memberships that take effect on a future day: of status or role, or a transfer to another chapter.
CREATE TABLE membership_scheduled_changes (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  membership_id uuid NOT NULL,
  status text CHECK (status IN
    ('pnm','undergrad','associate','alumni','active_alumni','lifetime_alumni','disaffiliated','inactive')),
  role text CHECK (role IN ('member','officer','president','advisor','alumni')),
  to_chapter_id uuid,
  effective_on date NOT NULL,
  reason text CHECK (length(reason) BETWEEN 1 AND 500),
  -- the authority by which the change was requested; it is checked again on the day of the change
  hand text NOT NULL CHECK (hand IN ('officer','region','organization')),
  state text NOT NULL DEFAULT 'scheduled' CHECK (state IN ('scheduled','applied','cancelled','refused','failed')),
  -- error code of the refusal or failure on the day of the change
  refusal text,
  requested_by uuid REFERENCES users,
  cancelled_by uuid REFERENCES users,
  ended_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT membership_scheduled_changes_something 
    CHECK ((num_nonnulls(status, role) > 0) = (to_chapter_id IS NULL)),
  CONSTRAINT membership_scheduled_changes_ended CHECK ((state = 'scheduled') = (ended_at IS NULL)),
  CONSTRAINT membership_scheduled_changes_refusal 
    CHECK ((state IN ('refused','failed')) = (refusal IS NOT NULL)),
  FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, to_chapter_id) REFERENCES chapters (organization_id, id)
);
CREATE UNIQUE INDEX membership_scheduled_changes_one_a_day
  ON membership_scheduled_changes (organization_id, membership_id, effective_on) WHERE state = 'scheduled';
CREATE INDEX membership_scheduled_changes_due ON membership_scheduled_changes (organization_id, effective_on, id)
  WHERE state = 'scheduled';
CREATE INDEX membership_scheduled_changes_list ON membership_scheduled_changes (organization_id, membership_id, id);
CREATE UNIQUE INDEX membership_scheduled_changes_one_transfer
  ON membership_scheduled_changes (organization_id, membership_id) WHERE state = 'scheduled' AND to_chapter_id IS NOT NULL;
