import type { Migration } from '../../schemaFiles.js';

/**
 * Adds advisers of chapters, who need no account, inactive regions, and the listing of organizations in the public
 * directory.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE regions ADD COLUMN is_active boolean NOT NULL DEFAULT true;
    ALTER TABLE organizations ADD COLUMN listed boolean NOT NULL DEFAULT true;
    CREATE INDEX organizations_listed ON organizations (name, id) WHERE is_active AND listed;
    CREATE TABLE chapter_advisors (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      chapter_id uuid NOT NULL,
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
      title text CHECK (length(title) <= 100),
      email text CHECK (length(email) <= 254),
      phone_number text CHECK (length(phone_number) <= 32),
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id)
    );
    CREATE INDEX chapter_advisors_order ON chapter_advisors (organization_id, chapter_id, name, id);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE chapter_advisors;
    ALTER TABLE organizations DROP COLUMN listed;
    ALTER TABLE regions DROP COLUMN is_active;
  `);
