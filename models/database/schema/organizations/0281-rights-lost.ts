import type { Migration } from '../../schemaFiles.js';

/** Rollovers, imports and moves of files stop when the person who confirmed them has lost the right. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE rollovers DROP CONSTRAINT rollovers_status_check, DROP CONSTRAINT rollovers_ended,
      ADD CONSTRAINT rollovers_status_check CHECK (status IN ('running','completed','cancelled','stopped_right_lost',
        'reverting','reverted','revert_stopped_right_lost')),
      ADD CONSTRAINT rollovers_ended CHECK ((status = 'running') = (ended_at IS NULL)
        AND (status IN ('reverting','reverted','revert_stopped_right_lost')) = (revert_started_at IS NOT NULL)
        AND (status = 'reverted') = (reverted_at IS NOT NULL));
    ALTER TABLE bulk_imports DROP CONSTRAINT bulk_imports_outcome_check,
      ADD CONSTRAINT bulk_imports_outcome_check CHECK (outcome IN
        ('completed','completed_with_errors','failed','cancelled','undone','stopped_right_lost')),
      -- which step ended before its lines were done; null again when another step begins
      ADD COLUMN stopped_step text CHECK (stopped_step IN ('process','send_invitations','undo')),
      ADD CONSTRAINT bulk_imports_stopped CHECK (stopped_step IS NULL OR step IS NULL);
    ALTER TABLE storage_migrations DROP CONSTRAINT storage_migrations_status_check,
      ADD CONSTRAINT storage_migrations_status_check CHECK (status IN ('planned','copying','verifying','completed',
        'completed_with_missing','failed','cancelled','stopped_right_lost'));
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    UPDATE rollovers SET status = 'cancelled' WHERE status = 'stopped_right_lost';
    UPDATE rollovers SET status = 'reverting' WHERE status = 'revert_stopped_right_lost';
    UPDATE bulk_imports SET outcome = 'cancelled' WHERE outcome = 'stopped_right_lost';
    UPDATE storage_migrations SET status = 'cancelled' WHERE status = 'stopped_right_lost';
    ALTER TABLE rollovers DROP CONSTRAINT rollovers_status_check, DROP CONSTRAINT rollovers_ended,
      ADD CONSTRAINT rollovers_status_check CHECK (status IN ('running','completed','cancelled','reverting','reverted')),
      ADD CONSTRAINT rollovers_ended CHECK ((status = 'running') = (ended_at IS NULL)
        AND (status IN ('reverting','reverted')) = (revert_started_at IS NOT NULL)
        AND (status = 'reverted') = (reverted_at IS NOT NULL));
    ALTER TABLE bulk_imports DROP CONSTRAINT bulk_imports_outcome_check, DROP COLUMN stopped_step,
      ADD CONSTRAINT bulk_imports_outcome_check CHECK (outcome IN
        ('completed','completed_with_errors','failed','cancelled','undone'));
    ALTER TABLE storage_migrations DROP CONSTRAINT storage_migrations_status_check,
      ADD CONSTRAINT storage_migrations_status_check CHECK (status IN
        ('planned','copying','verifying','completed','completed_with_missing','failed','cancelled'));
  `);
