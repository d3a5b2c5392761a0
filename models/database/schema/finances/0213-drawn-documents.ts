import type { Migration } from '../../schemaFiles.js';

/**
 * Creates long receipts and statements that a process renders on request; the object stays in the store until it is
 * downloaded.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE drawn_documents (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      -- the subject, the days, and how much the reader may see
      request jsonb NOT NULL,
      requested_by uuid NOT NULL REFERENCES users,
      file_id uuid,
      drawn_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT drawn_documents_drawn CHECK ((file_id IS NULL) = (drawn_at IS NULL)),
      -- the row is deleted when the sweep removes its file
      FOREIGN KEY (organization_id, file_id) REFERENCES stored_files (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX drawn_documents_of_person ON drawn_documents (organization_id, requested_by, created_at);
    CREATE UNIQUE INDEX drawn_documents_by_file ON drawn_documents (organization_id, file_id);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE drawn_documents;
  `);
