import type { Migration } from '../../schemaFiles.js';

/**
 * Creates the fields that an organization counts for the completeness of members' records; no row: the built-in fields.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE completeness_configs (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      -- [{field, weight, statuses}]; contains no personal values
      fields jsonb NOT NULL CHECK (jsonb_typeof(fields) = 'array' AND octet_length(fields::text) <= 10000),
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT completeness_configs_one UNIQUE (organization_id)
    );
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.counted_fields(uuid, uuid, jsonb);
    DROP TABLE completeness_configs;
  `);
