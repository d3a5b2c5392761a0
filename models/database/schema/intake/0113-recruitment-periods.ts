import type { Migration } from '../../schemaFiles.js';

/**
 * Creates recruitment periods: when an organization accepts applications, one per term, and the period of each
 * prospect.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE recruitment_periods (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      term_id uuid NOT NULL,
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      opens_at timestamptz NOT NULL,
      closes_at timestamptz NOT NULL,
      closed_message text CHECK (length(closed_message) <= 1000),
      status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'active', 'closed')),
      reopen_reason text CHECK (length(reopen_reason) <= 500),
      changed_by uuid REFERENCES users,
      -- number of closings and reopenings, and up to which of them the prospects were updated
      turn int NOT NULL DEFAULT 0,
      settled_turn int NOT NULL DEFAULT 0,
      turned_at timestamptz,
      version int NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT recruitment_periods_term UNIQUE (organization_id, term_id),
      CONSTRAINT recruitment_periods_times CHECK (opens_at < closes_at),
      CONSTRAINT recruitment_periods_turns CHECK (settled_turn <= turn),
      FOREIGN KEY (organization_id, term_id) REFERENCES terms (organization_id, id)
    );
    CREATE UNIQUE INDEX recruitment_periods_one_active ON recruitment_periods (organization_id) WHERE status = 'active';
    CREATE INDEX recruitment_periods_waiting ON recruitment_periods (id) WHERE settled_turn < turn;

    ALTER TABLE pnm_profiles ADD COLUMN recruitment_period_id uuid,
      -- the stage before the closing, which a reopening restores
      ADD COLUMN closed_from text CHECK (closed_from IN ('not_started', 'approved', 'in_progress')),
      ADD CONSTRAINT pnm_profiles_period FOREIGN KEY (organization_id, recruitment_period_id)
        REFERENCES recruitment_periods (organization_id, id),
      ADD CONSTRAINT pnm_profiles_closed CHECK (closed_from IS NULL OR stage = 'rejected');
    CREATE INDEX pnm_profiles_of_period ON pnm_profiles (organization_id, recruitment_period_id, stage, membership_id);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.follow_prospects() CASCADE;
    ALTER TABLE pnm_profiles DROP COLUMN recruitment_period_id, DROP COLUMN closed_from;
    DROP TABLE recruitment_periods;
  `);
