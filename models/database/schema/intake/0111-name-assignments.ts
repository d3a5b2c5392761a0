import type { Migration } from '../../schemaFiles.js';

/** Creates names that chapters propose for prospective members, for the organization to decide. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE pnm_name_assignments (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      chapter_id uuid NOT NULL,
      profile_id uuid NOT NULL,
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      -- the name without case, accents and separators
      name_key text NOT NULL CHECK (length(name_key) BETWEEN 1 AND 200),
      status text NOT NULL CHECK (status IN ('proposed','approved','rejected','withdrawn')),
      requested_by uuid NOT NULL REFERENCES users,
      reviewed_by uuid REFERENCES users,
      reviewed_at timestamptz,
      review_notes text CHECK (length(review_notes) <= 2000),
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT pnm_name_assignments_own CHECK (requested_by <> reviewed_by),
      CONSTRAINT pnm_name_assignments_reviewed CHECK (
        (status IN ('approved','rejected')) = (reviewed_at IS NOT NULL) AND (reviewed_at IS NULL) = (reviewed_by IS NULL)),
      CONSTRAINT pnm_name_assignments_reason CHECK (status <> 'rejected' OR review_notes IS NOT NULL),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
      FOREIGN KEY (organization_id, profile_id) REFERENCES pnm_profiles (organization_id, id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX pnm_name_assignments_open ON pnm_name_assignments (organization_id, profile_id) WHERE status = 'proposed';
    CREATE INDEX pnm_name_assignments_taken ON pnm_name_assignments (organization_id, chapter_id, name_key) WHERE status = 'approved';
    CREATE INDEX pnm_name_assignments_status ON pnm_name_assignments (organization_id, status, id);
    CREATE INDEX pnm_name_assignments_profile ON pnm_name_assignments (organization_id, profile_id, id);
    CREATE INDEX pnm_name_assignments_requester ON pnm_name_assignments (requested_by);
  `);

export const down: Migration['down'] = ({ run }) => run('DROP TABLE pnm_name_assignments CASCADE;');
