-- Uploaded files, the stores of their bytes, and moves between stores.

-- Storage configurations of an organization. One of them accepts new files; earlier ones are only read, until they hold
-- no files.
CREATE TABLE storage_configs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  provider text NOT NULL CHECK (provider IN ('aws_s3','s3_compatible')),
  -- an origin; null: AWS
  endpoint text CHECK (endpoint ~ '^https?://[^/?#@[:space:]]+$' AND length(endpoint) <= 270),
  region text NOT NULL CHECK (region ~ '^[a-z0-9-]{1,40}$'),
  bucket text NOT NULL CHECK (bucket ~ '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$'),
  -- empty, or ends with a slash
  prefix text NOT NULL DEFAULT '' CHECK (prefix ~ '^([A-Za-z0-9_][A-Za-z0-9_.-]*/)*$' AND length(prefix) <= 200),
  access_key_id text NOT NULL CHECK (length(access_key_id) BETWEEN 1 AND 128),
  secret_access_key_encrypted text NOT NULL,
  source text NOT NULL DEFAULT 'manual' CHECK (source IN ('manual','provisioned')),
  is_active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT storage_configs_endpoint CHECK ((provider = 's3_compatible') = (endpoint IS NOT NULL)),
  CONSTRAINT storage_configs_place UNIQUE NULLS NOT DISTINCT (organization_id, endpoint, bucket, prefix)
);
CREATE UNIQUE INDEX storage_configs_one_active ON storage_configs (organization_id) WHERE is_active;
CREATE INDEX storage_configs_left ON storage_configs (updated_at) WHERE NOT is_active;

-- Uploaded files; their bytes are in the store, under the ids.
CREATE TABLE stored_files (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  purpose text NOT NULL CHECK (purpose IN ('import','request_document','roster_export','invoice_export',
    'drawn_document','pnm_attachment','pnm_headshot','pnm_letter','campaign_hero','forum_image','forum_document')),
  -- the store of the bytes; null: the platform's
  storage_config_id uuid,
  -- uploading: the store may contain a part. held: completely stored, and unreadable until the scanner's verdict.
  -- removing: unreadable, and to be deleted from the store
  status text NOT NULL DEFAULT 'uploading' CHECK (status IN ('uploading','held','kept','removing')),
  -- null: not to be scanned
  scan text CHECK (scan IN ('waiting','clean','infected')),
  -- null: an applicant without an account
  uploaded_by uuid REFERENCES users,
  name text CHECK (length(name) BETWEEN 1 AND 200),
  media_type text CHECK (length(media_type) <= 100),
  size_bytes bigint CHECK (size_bytes > 0),
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  kept_at timestamptz,
  -- when a request was filed with the document, or a text of a forum with its attachment; a file without one is deleted
  -- after a day
  shown_at timestamptz,
  CONSTRAINT stored_files_somebodys CHECK (uploaded_by IS NOT NULL OR purpose LIKE 'pnm\_%'),
  CONSTRAINT stored_files_shown CHECK (shown_at IS NULL
    OR purpose IN ('request_document','forum_image','forum_document')),
  CONSTRAINT stored_files_scanned CHECK (CASE status
    WHEN 'uploading' THEN scan IS NULL
    WHEN 'held' THEN scan IS NOT DISTINCT FROM 'waiting'
    WHEN 'kept' THEN scan IS NULL OR scan = 'clean'
    ELSE true END),
  CONSTRAINT stored_files_known CHECK (
    status NOT IN ('held','kept') OR num_nulls(name, media_type, size_bytes, sha256, kept_at) = 0),
  UNIQUE (organization_id, id),
  CONSTRAINT stored_files_storage_config FOREIGN KEY (organization_id, storage_config_id)
    REFERENCES storage_configs (organization_id, id)
);
CREATE INDEX stored_files_unfinished ON stored_files (created_at) WHERE status <> 'kept';
CREATE INDEX stored_files_uploader ON stored_files (uploaded_by, organization_id, created_at);
CREATE INDEX stored_files_exports ON stored_files (kept_at) WHERE status = 'kept' AND purpose = 'roster_export';
CREATE INDEX stored_files_unshown ON stored_files (kept_at)
  WHERE status = 'kept' AND purpose IN ('request_document','forum_image','forum_document') AND shown_at IS NULL;
CREATE INDEX stored_files_store ON stored_files (organization_id, storage_config_id, id);
CREATE INDEX stored_files_held ON stored_files (organization_id, id) WHERE status = 'held';

-- Moves of an organization's files between stores.
CREATE TABLE storage_migrations (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- null: the platform's store, or a store whose configuration was deleted since; the stored name still identifies it
  from_config_id uuid,
  to_config_id uuid,
  from_store text NOT NULL CHECK (length(from_store) BETWEEN 1 AND 600),
  to_store text NOT NULL CHECK (length(to_store) BETWEEN 1 AND 600),
  status text NOT NULL DEFAULT 'planned' CHECK (status IN
    ('planned','copying','verifying','completed','completed_with_missing','failed','cancelled','stopped_right_lost')),
  files_total integer NOT NULL DEFAULT 0 CHECK (files_total >= 0),
  bytes_total bigint NOT NULL DEFAULT 0 CHECK (bytes_total >= 0),
  files_moved integer NOT NULL DEFAULT 0 CHECK (files_moved >= 0),
  bytes_moved bigint NOT NULL DEFAULT 0 CHECK (bytes_moved >= 0),
  requested_by uuid REFERENCES users,
  started_at timestamptz,
  ended_at timestamptz,
  purged_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT storage_migrations_apart CHECK (from_store <> to_store),
  CONSTRAINT storage_migrations_ended CHECK ((status IN ('planned','copying','verifying')) = (ended_at IS NULL)),
  CONSTRAINT storage_migrations_purged CHECK (purged_at IS NULL OR status IN ('completed','completed_with_missing')),
  FOREIGN KEY (organization_id, from_config_id) REFERENCES storage_configs (organization_id, id)
    ON DELETE SET NULL (from_config_id),
  FOREIGN KEY (organization_id, to_config_id) REFERENCES storage_configs (organization_id, id)
    ON DELETE SET NULL (to_config_id)
);
CREATE UNIQUE INDEX storage_migrations_one_running ON storage_migrations (organization_id)
  WHERE status IN ('planned','copying','verifying');
CREATE INDEX storage_migrations_list ON storage_migrations (organization_id, created_at, id);
CREATE INDEX storage_migrations_from ON storage_migrations (organization_id, from_config_id);
CREATE INDEX storage_migrations_to ON storage_migrations (organization_id, to_config_id);

-- Objects that are, or may be, in a store other than the one that the file now uses.
CREATE TABLE stored_file_copies (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  -- id of the file; it stays after the file's row is deleted, because the copies are deleted later
  file_id uuid NOT NULL,
  -- null: the platform's store
  storage_config_id uuid,
  migration_id uuid NOT NULL,
  -- arriving: may be partly there. left: the file moved elsewhere. removing: to be deleted from the store.
  -- missing: the object of a stored file is absent or differs
  status text NOT NULL CHECK (status IN ('arriving','left','removing','missing')),
  noted_at timestamptz NOT NULL DEFAULT now(),
  -- when the sweep began to delete the object; meanwhile a migration cannot use it
  claimed_at timestamptz,
  UNIQUE (organization_id, id),
  CONSTRAINT stored_file_copies_claimed CHECK (claimed_at IS NULL OR status = 'removing'),
  CONSTRAINT stored_file_copies_once UNIQUE NULLS NOT DISTINCT (organization_id, file_id, storage_config_id),
  FOREIGN KEY (organization_id, migration_id) REFERENCES storage_migrations (organization_id, id),
  FOREIGN KEY (organization_id, storage_config_id) REFERENCES storage_configs (organization_id, id)
);
CREATE INDEX stored_file_copies_of_migration ON stored_file_copies (organization_id, migration_id, status);
CREATE INDEX stored_file_copies_store ON stored_file_copies (organization_id, storage_config_id);
CREATE INDEX stored_file_copies_removing ON stored_file_copies (noted_at) WHERE status = 'removing';

-- Requests that the platform creates a store for an organization, with their results.
CREATE TABLE storage_provisionings (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- sequence number within the organization
  number integer NOT NULL CHECK (number > 0),
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running','completed','failed','cancelled')),
  problem text CHECK (problem IN ('credentials_refused','bucket_taken','refused','unavailable','not_usable')),
  -- the provider's error code; the rest of its answer is not stored
  answer text CHECK (answer ~ '^[A-Za-z0-9_.]{1,60}$'),
  requested_by uuid REFERENCES users,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT storage_provisionings_number UNIQUE (organization_id, number),
  CONSTRAINT storage_provisionings_ended CHECK ((status = 'running') = (ended_at IS NULL)),
  CONSTRAINT storage_provisionings_problem CHECK ((status = 'failed') = (problem IS NOT NULL)),
  CONSTRAINT storage_provisionings_answer CHECK (answer IS NULL OR problem IS NOT NULL)
);
CREATE UNIQUE INDEX storage_provisionings_one_running ON storage_provisionings (organization_id)
  WHERE status = 'running';
