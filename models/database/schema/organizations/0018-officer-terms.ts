import type { Migration } from '../../schemaFiles.js';

/**
 * Creates terms of chapter offices. Current officers get a term from today, because their beginning was not recorded.
 * Of several presidents of a chapter, the one with the oldest membership stays and the others become officers; the
 * audit log records it.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE officer_terms (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      chapter_id uuid NOT NULL,
      membership_id uuid NOT NULL,
      position text NOT NULL CHECK (position IN ('president','vice_president','treasurer','secretary','intake','other')),
      title text CHECK (length(title) BETWEEN 1 AND 100),
      starts_on date NOT NULL,
      -- planned end: after it the term continues until a successor begins or the term is ended
      ends_on date,
      -- null: current
      ended_on date,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT officer_terms_planned CHECK (ends_on >= starts_on),
      CONSTRAINT officer_terms_days CHECK (ended_on >= starts_on),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
        ON UPDATE CASCADE ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX officer_terms_president ON officer_terms (organization_id, chapter_id)
      WHERE position = 'president' AND ended_on IS NULL;
    CREATE UNIQUE INDEX officer_terms_once ON officer_terms (organization_id, membership_id, position)
      WHERE position <> 'other' AND ended_on IS NULL;
    CREATE INDEX officer_terms_chapter ON officer_terms (organization_id, chapter_id, starts_on, id);
    CREATE INDEX officer_terms_running ON officer_terms (organization_id, membership_id) WHERE ended_on IS NULL;

    WITH several AS (
      SELECT id, row_number() OVER (PARTITION BY organization_id, chapter_id ORDER BY created_at, id) AS nth
        FROM memberships WHERE role = 'president'),
    stepped AS (
      UPDATE memberships m SET role = 'officer' FROM several WHERE several.id = m.id AND several.nth > 1
      RETURNING m.organization_id, m.id)
    INSERT INTO audit_log (organization_id, action, subject_type, subject_id, before, after)
    SELECT organization_id, 'membership.updated', 'membership', id, '{"role": "president"}', '{"role": "officer"}' FROM stepped;

    INSERT INTO officer_terms (organization_id, chapter_id, membership_id, position, title, starts_on)
    SELECT organization_id, chapter_id, id, CASE role WHEN 'president' THEN 'president' ELSE 'other' END,
           CASE role WHEN 'officer' THEN 'Officer' END, current_date
      FROM memberships WHERE role IN ('officer', 'president');
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.keep_terms_to_role() CASCADE;
    DROP FUNCTION IF EXISTS app.keep_role_to_terms() CASCADE;
    DROP TABLE officer_terms;
  `);
