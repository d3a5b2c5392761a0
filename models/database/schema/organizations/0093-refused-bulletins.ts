import type { Migration } from '../../schemaFiles.js';

/**
 * Records who published a bulletin: it is refused when they have lost the right by its time. For existing rows this is
 * the author.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE bulletins ADD COLUMN decided_by uuid REFERENCES users,
      ADD COLUMN refusal text CHECK (refusal IN ('forbidden')),
      ADD CONSTRAINT bulletins_refused CHECK (refusal IS NULL OR publish_at IS NULL);
    CREATE INDEX bulletins_decided_by ON bulletins (decided_by);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.may_announce(uuid, uuid, uuid, uuid);
    ALTER TABLE bulletins DROP COLUMN decided_by, DROP COLUMN refusal;
  `);
