-- Exports of rosters as files: an object in the store for some days, and a row with the request.
CREATE TABLE roster_exports (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  format text NOT NULL CHECK (format IN ('csv','xlsx')),
  -- filters of the roster list
  filters jsonb NOT NULL DEFAULT '{}',
  with_profiles boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running','ready','failed','cancelled')),
  failure text CHECK (failure IN ('too_many_rows')),
  members_total integer CHECK (members_total >= 0),
  rows_written integer NOT NULL DEFAULT 0 CHECK (rows_written >= 0),
  requested_by uuid REFERENCES users,
  -- null after the sweep has removed the file
  file_id uuid,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT roster_exports_ended CHECK ((status = 'running') = (ended_at IS NULL)),
  CONSTRAINT roster_exports_failed CHECK ((status = 'failed') = (failure IS NOT NULL)),
  CONSTRAINT roster_exports_file CHECK (file_id IS NULL OR status = 'ready'),
  FOREIGN KEY (organization_id, file_id) REFERENCES stored_files (organization_id, id) ON DELETE SET NULL (file_id)
);
CREATE UNIQUE INDEX roster_exports_one_running ON roster_exports (organization_id, requested_by) WHERE status = 'running';
CREATE INDEX roster_exports_list ON roster_exports (organization_id, created_at, id);
CREATE UNIQUE INDEX roster_exports_by_file ON roster_exports (organization_id, file_id);
