import type { Migration } from '../../schemaFiles.js';

/** Allows reference letters as files. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE stored_files DROP CONSTRAINT stored_files_purpose_check,
      ADD CONSTRAINT stored_files_purpose_check
        CHECK (purpose IN ('import','request_document','roster_export','pnm_attachment','pnm_headshot','pnm_letter'));
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DELETE FROM stored_files WHERE purpose = 'pnm_letter';
    ALTER TABLE stored_files DROP CONSTRAINT stored_files_purpose_check,
      ADD CONSTRAINT stored_files_purpose_check
        CHECK (purpose IN ('import','request_document','roster_export','pnm_attachment','pnm_headshot'));
  `);
