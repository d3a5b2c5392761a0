import type { Migration } from '../../schemaFiles.js';

/**
 * Creates storage configurations of organizations: one accepts new files, earlier ones are read until they hold no
 * file.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
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

    -- the store of the bytes; null: the platform's
    ALTER TABLE stored_files ADD COLUMN storage_config_id uuid,
      ADD CONSTRAINT stored_files_storage_config FOREIGN KEY (organization_id, storage_config_id)
        REFERENCES storage_configs (organization_id, id);
    CREATE INDEX stored_files_store ON stored_files (organization_id, storage_config_id)
      WHERE storage_config_id IS NOT NULL;
  `);

/** Removes the configurations: files in stores of organizations are no longer reachable. */
export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.files_leaving_stores(int);
    DROP FUNCTION IF EXISTS app.forget_left_stores();
    ALTER TABLE stored_files DROP COLUMN storage_config_id;
    DROP TABLE storage_configs;
    DROP FUNCTION IF EXISTS app.number_storage_config();
  `);
