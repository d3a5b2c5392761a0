import type { Migration } from '../../schemaFiles.js';

/** Creates provisionings: the platform creates a store for an organization. One row per request, with its result. */
export const up: Migration['up'] = ({ run }) =>
  run(`
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
  `);

/** Removes the rows; created stores stay at the providers. */
export const down: Migration['down'] = ({ run }) => run('DROP TABLE storage_provisionings;');
