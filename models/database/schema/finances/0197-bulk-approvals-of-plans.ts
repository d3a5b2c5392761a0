import type { Migration } from '../../schemaFiles.js';

/**
 * Creates bulk approvals of plan requests within the limits: a process grants them one after another. One line per
 * request records the preview and the result.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE plan_bulk_approvals (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      requested_by uuid NOT NULL REFERENCES users,
      preview_hash text NOT NULL CHECK (preview_hash ~ '^[0-9a-f]{64}$'),
      status text NOT NULL DEFAULT 'approving' CHECK (status IN ('approving','approved','cancelled')),
      lines_total integer NOT NULL DEFAULT 0,
      lines_done integer NOT NULL DEFAULT 0,
      ended_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CHECK ((status = 'approving') = (ended_at IS NULL)),
      CONSTRAINT plan_bulk_approval_lines_done CHECK (lines_done BETWEEN 0 AND lines_total AND (status <> 'approved' OR lines_done = lines_total)),
      UNIQUE (organization_id, id)
    );
    CREATE INDEX plan_bulk_approvals_under_way ON plan_bulk_approvals (id) WHERE status = 'approving';

    CREATE TABLE plan_bulk_approval_lines (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      approval_id uuid NOT NULL,
      request_id uuid NOT NULL,
      -- requests whose freeze ends first come first
      sequence integer NOT NULL,
      -- null: not processed yet
      result text CHECK (result IN ('approved','balance_changed','schedule_past','own_request','plan_already_active','decided')),
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      UNIQUE (organization_id, approval_id, sequence),
      UNIQUE (organization_id, approval_id, request_id),
      FOREIGN KEY (organization_id, approval_id) REFERENCES plan_bulk_approvals (organization_id, id),
      FOREIGN KEY (organization_id, request_id) REFERENCES payment_plan_requests (organization_id, id)
    );
    CREATE INDEX plan_bulk_approval_lines_waiting ON plan_bulk_approval_lines (organization_id, approval_id, sequence) WHERE result IS NULL;
    CREATE INDEX plan_bulk_approval_lines_request ON plan_bulk_approval_lines (organization_id, request_id);
  `);

export const down: Migration['down'] = ({ run }) =>
  run('DROP TABLE plan_bulk_approval_lines, plan_bulk_approvals CASCADE;');
