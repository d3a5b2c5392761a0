import type { Migration } from '../../schemaFiles.js';

/** Allows rendered documents as files. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE stored_files DROP CONSTRAINT stored_files_purpose_check,
      ADD CONSTRAINT stored_files_purpose_check CHECK (purpose IN ('import','request_document','roster_export','invoice_export',
        'drawn_document','pnm_attachment','pnm_headshot','pnm_letter'));
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DELETE FROM stored_files WHERE purpose = 'drawn_document';
    ALTER TABLE stored_files DROP CONSTRAINT stored_files_purpose_check,
      ADD CONSTRAINT stored_files_purpose_check CHECK (purpose IN
        ('import','request_document','roster_export','invoice_export','pnm_attachment','pnm_headshot','pnm_letter'));
  `);
