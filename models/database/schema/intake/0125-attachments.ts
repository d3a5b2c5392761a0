import type { Migration } from '../../schemaFiles.js';

/** Creates files of applicants, who have no account: they belong to a draft, then to its application. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE pnm_attachments (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      draft_id uuid,
      application_id uuid,
      kind text NOT NULL CHECK (kind IN ('resume', 'headshot', 'transcript', 'cover_letter')),
      file_id uuid NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT pnm_attachments_of_one CHECK (num_nonnulls(draft_id, application_id) = 1),
      CONSTRAINT pnm_attachments_file UNIQUE (organization_id, file_id),
      FOREIGN KEY (organization_id, draft_id) REFERENCES pnm_drafts (organization_id, id) ON DELETE CASCADE,
      FOREIGN KEY (organization_id, application_id) REFERENCES pnm_applications (organization_id, id) ON DELETE CASCADE,
      FOREIGN KEY (organization_id, file_id) REFERENCES stored_files (organization_id, id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX pnm_attachments_of_draft ON pnm_attachments (organization_id, draft_id, kind) WHERE draft_id IS NOT NULL;
    CREATE UNIQUE INDEX pnm_attachments_of_application ON pnm_attachments (organization_id, application_id, kind)
      WHERE application_id IS NOT NULL;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE pnm_attachments;
    DROP FUNCTION IF EXISTS app.remove_attached_file() CASCADE;
  `);
