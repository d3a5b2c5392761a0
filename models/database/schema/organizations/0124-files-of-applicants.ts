import type { Migration } from '../../schemaFiles.js';

/** Allows files of applicants, who have no account. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE stored_files DROP CONSTRAINT stored_files_purpose_check,
      ADD CONSTRAINT stored_files_purpose_check
        CHECK (purpose IN ('import','request_document','roster_export','pnm_attachment','pnm_headshot')),
      ALTER COLUMN uploaded_by DROP NOT NULL,
      ADD CONSTRAINT stored_files_somebodys CHECK (uploaded_by IS NOT NULL OR purpose LIKE 'pnm\\_%');
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.remove_file(uuid, uuid);
    DELETE FROM stored_files WHERE purpose LIKE 'pnm\\_%';
    ALTER TABLE stored_files DROP CONSTRAINT stored_files_somebodys, ALTER COLUMN uploaded_by SET NOT NULL,
      DROP CONSTRAINT stored_files_purpose_check,
      ADD CONSTRAINT stored_files_purpose_check CHECK (purpose IN ('import','request_document','roster_export'));
  `);
