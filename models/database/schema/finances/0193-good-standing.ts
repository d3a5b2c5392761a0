import type { Migration } from '../../schemaFiles.js';

/**
 * Creates proofs that a member was in good standing on a day. A person with the code can see the proof until its last
 * day.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE good_standing_proofs (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      chapter_id uuid NOT NULL,
      membership_id uuid NOT NULL,
      -- digest of a code that is shown once
      code_hash text NOT NULL CHECK (length(code_hash) = 43),
      -- days in the organization's time zone; good_until is included
      was_good_on date NOT NULL,
      good_until date NOT NULL,
      revoked_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT good_standing_days CHECK (good_until BETWEEN was_good_on + 1 AND was_good_on + 90),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
    );
    CREATE INDEX good_standing_code ON good_standing_proofs (code_hash);
    CREATE INDEX good_standing_member ON good_standing_proofs (organization_id, membership_id, id);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.standing_of_code(text);
    DROP TABLE good_standing_proofs;
  `);
