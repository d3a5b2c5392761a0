import type { Migration } from '../../schemaFiles.js';

/** Which fields an organization counts when it says how complete members' records are; no row: the built-in ones. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE completeness_configs (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      -- [{field, weight, statuses}]; nobody's values are in it
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
