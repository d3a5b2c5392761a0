import type { Migration } from '../../schemaFiles.js';

/** Who had a bulletin go out: at its time they may still, or it is refused. Of rows from before it is whoever wrote it. */
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
