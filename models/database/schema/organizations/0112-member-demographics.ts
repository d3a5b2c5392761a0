import type { Migration } from '../../schemaFiles.js';

/**
 * Creates demographic data of members, apart from profiles, because only the readers that the specification names may
 * see it.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE member_demographics (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      user_id uuid NOT NULL REFERENCES users,
      ethnicity text CHECK (length(ethnicity) BETWEEN 1 AND 100),
      gender text CHECK (length(gender) BETWEEN 1 AND 100),
      pronouns text CHECK (length(pronouns) BETWEEN 1 AND 50),
      first_generation boolean,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT member_demographics_person UNIQUE (organization_id, user_id)
    );
    CREATE INDEX member_demographics_user ON member_demographics (user_id);
  `);

export const down: Migration['down'] = ({ run }) => run('DROP TABLE member_demographics;');
