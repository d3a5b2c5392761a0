import type { Migration } from '../../schemaFiles.js';

/** Quarantines files from unauthenticated senders until a scanner has reported them clean. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE stored_files
      -- null: not to be scanned
      ADD COLUMN scan text CHECK (scan IN ('waiting','clean','infected')),
      DROP CONSTRAINT stored_files_status_check,
      -- held: completely stored, and unreadable until the scanner's verdict
      ADD CONSTRAINT stored_files_status_check CHECK (status IN ('uploading','held','kept','removing')),
      ADD CONSTRAINT stored_files_scanned CHECK (CASE status
        WHEN 'uploading' THEN scan IS NULL
        WHEN 'held' THEN scan IS NOT DISTINCT FROM 'waiting'
        WHEN 'kept' THEN scan IS NULL OR scan = 'clean'
        ELSE true END),
      DROP CONSTRAINT stored_files_known,
      ADD CONSTRAINT stored_files_known CHECK (
        status NOT IN ('held','kept') OR num_nulls(name, media_type, size_bytes, sha256, kept_at) = 0);
    CREATE INDEX stored_files_held ON stored_files (organization_id, id) WHERE status = 'held';
  `);

/** Discards files that were not reported clean. */
export const down: Migration['down'] = ({ run }) =>
  run(`
    UPDATE stored_files SET status = 'removing', name = NULL WHERE status = 'held';
    DROP INDEX stored_files_held;
    ALTER TABLE stored_files
      DROP CONSTRAINT stored_files_status_check,
      ADD CONSTRAINT stored_files_status_check CHECK (status IN ('uploading','kept','removing')),
      DROP CONSTRAINT stored_files_known,
      ADD CONSTRAINT stored_files_known CHECK (
        status <> 'kept' OR num_nulls(name, media_type, size_bytes, sha256, kept_at) = 0),
      DROP COLUMN scan;
  `);
