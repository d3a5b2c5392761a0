import type { Migration } from '../../schemaFiles.js';

/**
 * Stores the mail outcome of a reference letter with the letter, because the notice of a person without an account is
 * deleted with its end.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE pnm_reference_letters
      -- stays 'sent' once a mail was sent, because its link allows a letter; null: none is sent, or before this column
      ADD COLUMN mail_outcome text CHECK (mail_outcome IN ('sent', 'refused', 'expired', 'cancelled'));
    CREATE INDEX pnm_reference_letters_mailed ON pnm_reference_letters (notice_id) WHERE notice_id IS NOT NULL;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TRIGGER IF EXISTS account_notices_of_letters ON account_notices;
    DROP FUNCTION IF EXISTS app.note_letter_mail();
    DROP INDEX pnm_reference_letters_mailed;
    ALTER TABLE pnm_reference_letters DROP COLUMN mail_outcome;
  `);
