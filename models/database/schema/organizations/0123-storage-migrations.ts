import type { Migration } from '../../schemaFiles.js';

/**
 * Creates migrations of an organization's files between stores, and a record of copies that remain in stores until they
 * are deleted.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE storage_migrations (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      -- null: the platform's store, or one deleted since; the name identifies it
      from_config_id uuid,
      to_config_id uuid,
      from_store text NOT NULL CHECK (length(from_store) BETWEEN 1 AND 600),
      to_store text NOT NULL CHECK (length(to_store) BETWEEN 1 AND 600),
      status text NOT NULL DEFAULT 'planned' CHECK (status IN
        ('planned','copying','verifying','completed','completed_with_missing','failed','cancelled')),
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

    -- objects that are, or may be, in another store than their file
    CREATE TABLE stored_file_copies (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL,
      -- kept after the file's row is deleted, because its copies are deleted later
      file_id uuid NOT NULL,
      -- null: the platform's store
      storage_config_id uuid,
      migration_id uuid NOT NULL,
      -- arriving: may be partly there. left: the file moved elsewhere. removing: to be deleted from the store.
      -- missing: the object of a stored file is absent or differs
      status text NOT NULL CHECK (status IN ('arriving','left','removing','missing')),
      noted_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT stored_file_copies_once UNIQUE NULLS NOT DISTINCT (organization_id, file_id, storage_config_id),
      FOREIGN KEY (organization_id, migration_id) REFERENCES storage_migrations (organization_id, id),
      FOREIGN KEY (organization_id, storage_config_id) REFERENCES storage_configs (organization_id, id)
    );
    CREATE INDEX stored_file_copies_of_migration ON stored_file_copies (organization_id, migration_id, status);
    CREATE INDEX stored_file_copies_store ON stored_file_copies (organization_id, storage_config_id);
    CREATE INDEX stored_file_copies_removing ON stored_file_copies (noted_at) WHERE status = 'removing';

    DROP INDEX stored_files_store;
    CREATE INDEX stored_files_store ON stored_files (organization_id, storage_config_id, id);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.copies_leaving_stores(int);
    DROP FUNCTION IF EXISTS app.forget_removed_copies(uuid[]);
    DROP TABLE stored_file_copies;
    DROP TABLE storage_migrations;
    DROP INDEX stored_files_store;
    CREATE INDEX stored_files_store ON stored_files (organization_id, storage_config_id)
      WHERE storage_config_id IS NOT NULL;
  `);
