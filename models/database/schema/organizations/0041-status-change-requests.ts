import type { Migration } from '../../schemaFiles.js';

/**
 * Creates requests of members for another status. Officers decide, or the organization where officers may not make that
 * change.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE status_change_requests (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      membership_id uuid NOT NULL,
      -- chapter of the request
      chapter_id uuid NOT NULL,
      to_status text NOT NULL CHECK (to_status IN
        ('pnm','undergrad','associate','alumni','active_alumni','lifetime_alumni','disaffiliated','inactive')),
      effective_on date,
      reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
      status text NOT NULL CHECK (status IN ('pending_officer','pending_organization','approved','rejected','withdrawn')),
      requested_by uuid NOT NULL REFERENCES users,
      first_tier_skipped boolean NOT NULL DEFAULT false,
      first_reviewed_by uuid REFERENCES users,
      first_reviewed_at timestamptz,
      first_review_notes text CHECK (length(first_review_notes) <= 2000),
      reviewed_by uuid REFERENCES users,
      reviewed_at timestamptz,
      review_notes text CHECK (length(review_notes) <= 2000),
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT status_change_requests_own CHECK (requested_by <> reviewed_by AND requested_by <> first_reviewed_by),
      CONSTRAINT status_change_requests_reviewed CHECK (
        (status IN ('approved','rejected')) = (reviewed_at IS NOT NULL) AND (reviewed_at IS NULL) = (reviewed_by IS NULL)
        AND (first_reviewed_at IS NULL) = (first_reviewed_by IS NULL)),
      CONSTRAINT status_change_requests_reason CHECK (status <> 'rejected' OR review_notes IS NOT NULL),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
      FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id)
    );
    CREATE UNIQUE INDEX status_change_requests_open ON status_change_requests (organization_id, membership_id)
      WHERE status IN ('pending_officer','pending_organization');
    CREATE INDEX status_change_requests_membership ON status_change_requests (organization_id, membership_id, id);
    CREATE INDEX status_change_requests_status ON status_change_requests (organization_id, status, id);
    CREATE INDEX status_change_requests_chapter ON status_change_requests (organization_id, chapter_id, id);
    CREATE INDEX status_change_requests_waiting ON status_change_requests (organization_id, chapter_id)
      WHERE status IN ('pending_officer','pending_organization');
    CREATE INDEX status_change_requests_requester ON status_change_requests (requested_by);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP VIEW IF EXISTS waiting_approvals;
    DROP TABLE status_change_requests;
  `);
