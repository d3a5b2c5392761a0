-- Imports of rosters from tables: read, mapped, previewed, then processed row by row; they can be undone.
CREATE TABLE bulk_imports (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- the uploaded file; null once its rows are read
  file_id uuid,
  file_name text NOT NULL CHECK (length(file_name) BETWEEN 1 AND 200),
  stage text NOT NULL DEFAULT 'upload' CHECK (stage IN ('upload','mapping','preview','processing')),
  outcome text CHECK (outcome IN
    ('completed','completed_with_errors','failed','cancelled','undone','stopped_right_lost')),
  -- a code: why it failed
  failure text CHECK (failure ~ '^[a-z_]{1,40}$'),
  -- a code: why the file could not be read
  failure_reason text CHECK (failure_reason ~ '^[a-z_]{1,40}$'),
  -- the running step; null: it waits for a person, or has ended
  step text CHECK (step IN ('read','preview','process','send_invitations','undo')),
  step_started_at timestamptz,
  -- the step that was stopped before all rows were processed; null again when another step begins
  stopped_step text CHECK (stopped_step IN ('process','send_invitations','undo')),
  -- number of steps so far: each has its own process
  runs integer NOT NULL DEFAULT 0,
  -- last row that the current step has processed, for steps that go row by row
  line integer NOT NULL DEFAULT 0,
  -- the column titles, in order
  columns jsonb NOT NULL DEFAULT '[]',
  -- per field, the number of its column, from 0
  mapping jsonb NOT NULL DEFAULT '{}',
  -- order of day, month and year in the file
  day_order text NOT NULL DEFAULT 'ymd' CHECK (day_order IN ('ymd', 'mdy', 'dmy')),
  mapped_at timestamptz,
  -- chapter for rows that name no chapter
  chapter_id uuid,
  preview_hash text CHECK (preview_hash ~ '^[0-9a-f]{64}$'),
  on_existing text CHECK (on_existing IN ('skip','fill_empty','overwrite')),
  rows_total integer NOT NULL DEFAULT 0,
  rows_create integer NOT NULL DEFAULT 0,
  rows_update integer NOT NULL DEFAULT 0,
  rows_unchanged integer NOT NULL DEFAULT 0,
  rows_error integer NOT NULL DEFAULT 0,
  rows_created integer NOT NULL DEFAULT 0,
  rows_updated integer NOT NULL DEFAULT 0,
  rows_left integer NOT NULL DEFAULT 0,
  rows_failed integer NOT NULL DEFAULT 0,
  rows_undone integer NOT NULL DEFAULT 0,
  rows_kept integer NOT NULL DEFAULT 0,
  started_by uuid REFERENCES users,
  undone_by uuid REFERENCES users,
  ended_at timestamptz,
  undone_at timestamptz,
  -- when the sweep erased rows that created no member
  lines_erased_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, file_id) REFERENCES stored_files (organization_id, id) ON DELETE SET NULL (file_id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  CONSTRAINT bulk_imports_step CHECK ((step IS NULL) = (step_started_at IS NULL)),
  CONSTRAINT bulk_imports_ended CHECK ((outcome IS NULL) = (ended_at IS NULL)
    AND (outcome IS NULL OR step IS NULL OR step IN ('send_invitations','undo'))
    AND (failure IS NOT NULL) = (outcome IS NOT DISTINCT FROM 'failed')),
  CONSTRAINT bulk_imports_stopped CHECK (stopped_step IS NULL OR step IS NULL),
  CONSTRAINT bulk_imports_unreadable CHECK (failure_reason IS NULL OR failure IS NOT DISTINCT FROM 'file_not_readable'),
  CONSTRAINT bulk_imports_erased CHECK (lines_erased_at IS NULL OR outcome IS NOT NULL),
  CONSTRAINT bulk_imports_counted CHECK (rows_created + rows_updated + rows_left + rows_failed <= rows_total
    AND rows_undone + rows_kept <= rows_created + rows_updated),
  CONSTRAINT bulk_imports_whole CHECK (outcome IS NULL OR outcome NOT IN ('completed','completed_with_errors')
    OR rows_created + rows_updated + rows_left + rows_failed = rows_total)
);
CREATE INDEX bulk_imports_list ON bulk_imports (organization_id, created_at, id);
CREATE INDEX bulk_imports_file ON bulk_imports (organization_id, file_id);
CREATE INDEX bulk_imports_untouched ON bulk_imports (updated_at) WHERE step IS NULL AND lines_erased_at IS NULL;

CREATE TABLE bulk_import_rows (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  import_id uuid NOT NULL,
  -- row number in the spreadsheet
  line integer NOT NULL CHECK (line > 0),
  -- cells of the row as uploaded, or as corrected afterwards
  cells jsonb NOT NULL,
  -- the parsed values, by field
  given jsonb NOT NULL DEFAULT '{}',
  email text,
  -- name in lower case with its words in a fixed order, for comparisons
  name_key text,
  chapter_id uuid,
  outcome text CHECK (outcome IN ('create','update','unchanged','error')),
  -- messages by field
  errors jsonb NOT NULL DEFAULT '{}',
  warnings jsonb NOT NULL DEFAULT '[]',
  -- per field: [current value, value in the file]
  changes jsonb NOT NULL DEFAULT '{}',
  membership_id uuid,
  -- version of the membership at the preview
  seen_version integer,
  result text NOT NULL DEFAULT 'waiting' CHECK (result IN
    ('waiting','created','updated','unchanged','skipped','failed','undone','kept')),
  -- a code: why the row was skipped, failed or kept
  why text CHECK (why ~ '^[a-z_]{1,60}$'),
  -- per field that stays unchanged, a code for the reason
  fields_left jsonb NOT NULL DEFAULT '{}',
  -- previous values of changed fields of the membership
  before jsonb,
  -- previous values of changed fields of the person
  person_before jsonb,
  -- version of the membership after the import
  made_version integer,
  done_at timestamptz,
  invited_at timestamptz,
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, import_id, line),
  FOREIGN KEY (organization_id, import_id) REFERENCES bulk_imports (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id),
  CONSTRAINT bulk_import_rows_done CHECK ((result = 'waiting') = (done_at IS NULL)),
  CONSTRAINT bulk_import_rows_made CHECK (result NOT IN ('created','updated','undone','kept')
    OR num_nulls(membership_id, made_version) = 0),
  CONSTRAINT bulk_import_rows_why CHECK (result NOT IN ('failed','skipped','kept') OR why IS NOT NULL)
);
CREATE INDEX bulk_import_rows_outcome ON bulk_import_rows (organization_id, import_id, outcome, line);
CREATE INDEX bulk_import_rows_result ON bulk_import_rows (organization_id, import_id, result, line);
CREATE INDEX bulk_import_rows_same_email ON bulk_import_rows (organization_id, import_id, email, line);
CREATE INDEX bulk_import_rows_same_name ON bulk_import_rows (organization_id, import_id, name_key, line);
CREATE INDEX bulk_import_rows_email ON bulk_import_rows (organization_id, email);
CREATE INDEX bulk_import_rows_membership ON bulk_import_rows (organization_id, membership_id);
