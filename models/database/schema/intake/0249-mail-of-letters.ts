import type { Migration } from '../../schemaFiles.js';

/** What became of the mail for a letter stays with the letter: the notice of somebody without an account goes with its end. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE pnm_reference_letters
      -- once one was sent it stays that: who has a link may write; null: none is out, or was before this was noted
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
