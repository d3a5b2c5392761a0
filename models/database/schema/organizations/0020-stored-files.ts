import type { Migration } from '../../schemaFiles.js';

/** Creates uploaded files; their bytes are in the store, under the ids. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE stored_files (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      purpose text NOT NULL CHECK (purpose IN ('import','request_document')),
      -- uploading: the store may contain a part. removing: unreadable, and to be deleted from the store
      status text NOT NULL DEFAULT 'uploading' CHECK (status IN ('uploading','kept','removing')),
      uploaded_by uuid NOT NULL REFERENCES users,
      name text CHECK (length(name) BETWEEN 1 AND 200),
      media_type text CHECK (length(media_type) <= 100),
      size_bytes bigint CHECK (size_bytes > 0),
      sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      created_at timestamptz NOT NULL DEFAULT now(),
      kept_at timestamptz,
      CONSTRAINT stored_files_known CHECK (
        status <> 'kept' OR num_nulls(name, media_type, size_bytes, sha256, kept_at) = 0),
      UNIQUE (organization_id, id)
    );
    CREATE INDEX stored_files_unfinished ON stored_files (created_at) WHERE status <> 'kept';
    CREATE INDEX stored_files_uploader ON stored_files (uploaded_by, organization_id, created_at);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.keep_stored_file() CASCADE;
    DROP FUNCTION IF EXISTS app.files_to_remove(int);
    DROP FUNCTION IF EXISTS app.forget_removed_files(uuid[]);
    DROP TABLE stored_files;
  `);
