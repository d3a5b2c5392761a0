import type { Migration } from '../../schemaFiles.js';

/** Keeps a record of files refused as infected, so that the sender is notified and can send another. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE pnm_attachments
      ALTER COLUMN file_id DROP NOT NULL,
      ADD COLUMN refused_at timestamptz,
      ADD CONSTRAINT pnm_attachments_refused CHECK ((file_id IS NULL) = (refused_at IS NOT NULL));
    ALTER TABLE pnm_reference_letters ADD COLUMN file_refused_at timestamptz;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DELETE FROM pnm_attachments WHERE file_id IS NULL;
    ALTER TABLE pnm_attachments DROP COLUMN refused_at, ALTER COLUMN file_id SET NOT NULL;
    ALTER TABLE pnm_reference_letters DROP COLUMN file_refused_at;
  `);
