import type { Migration } from '../../schemaFiles.js';

/** Creates settlements of the credit of members whose membership has ended: remaining credit is refunded. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE terminal_settlements (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      chapter_id uuid NOT NULL,
      membership_id uuid NOT NULL,
      -- kept: credit without a charge waits for an administrator; cancelled: the membership continues
      status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting','refunding','refunded','kept','cancelled')),
      refunds_at timestamptz NOT NULL,
      -- the person who ended the membership; null: the platform
      requested_by uuid REFERENCES users,
      finished_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CHECK ((status IN ('waiting','refunding')) = (finished_at IS NULL)),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
    );
    CREATE UNIQUE INDEX terminal_settlements_one_live ON terminal_settlements (organization_id, membership_id)
      WHERE finished_at IS NULL;
    CREATE INDEX terminal_settlements_live ON terminal_settlements (id) WHERE finished_at IS NULL;
    CREATE INDEX terminal_settlements_membership ON terminal_settlements (organization_id, membership_id);
  `);

export const down: Migration['down'] = ({ run }) => run('DROP TABLE terminal_settlements CASCADE;');
