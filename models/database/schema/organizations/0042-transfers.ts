import type { Migration } from '../../schemaFiles.js';

/** Adds transfers of members to another chapter: scheduled changes, and requests. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE membership_scheduled_changes ADD COLUMN to_chapter_id uuid,
      DROP CONSTRAINT membership_scheduled_changes_something,
      ADD CONSTRAINT membership_scheduled_changes_something
        CHECK ((num_nonnulls(status, role) > 0) = (to_chapter_id IS NULL)),
      ADD FOREIGN KEY (organization_id, to_chapter_id) REFERENCES chapters (organization_id, id);
    CREATE UNIQUE INDEX membership_scheduled_changes_one_transfer
      ON membership_scheduled_changes (organization_id, membership_id) WHERE state = 'scheduled' AND to_chapter_id IS NOT NULL;

    CREATE TABLE transfer_requests (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      membership_id uuid NOT NULL,
      -- chapter of the request
      chapter_id uuid NOT NULL,
      to_chapter_id uuid NOT NULL,
      effective_on date,
      reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
      status text NOT NULL CHECK (status IN ('pending_destination','pending_organization','approved','rejected','withdrawn')),
      requested_by uuid NOT NULL REFERENCES users,
      first_tier_skipped boolean NOT NULL DEFAULT false,
      first_reviewed_by uuid REFERENCES users,
      first_reviewed_at timestamptz,
      first_review_notes text CHECK (length(first_review_notes) <= 2000),
      reviewed_by uuid REFERENCES users,
      reviewed_at timestamptz,
      review_notes text CHECK (length(review_notes) <= 2000),
      -- the result: the new membership, or the change that will create it on its day
      new_membership_id uuid,
      scheduled_change_id uuid,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT transfer_requests_own CHECK (requested_by <> reviewed_by AND requested_by <> first_reviewed_by),
      CONSTRAINT transfer_requests_reviewed CHECK (
        (status IN ('approved','rejected')) = (reviewed_at IS NOT NULL) AND (reviewed_at IS NULL) = (reviewed_by IS NULL)
        AND (first_reviewed_at IS NULL) = (first_reviewed_by IS NULL)),
      CONSTRAINT transfer_requests_reason CHECK (status <> 'rejected' OR review_notes IS NOT NULL),
      CONSTRAINT transfer_requests_effect CHECK (
        (status = 'approved') = (num_nonnulls(new_membership_id, scheduled_change_id) = 1)
        AND num_nonnulls(new_membership_id, scheduled_change_id) < 2),
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
      FOREIGN KEY (organization_id, to_chapter_id) REFERENCES chapters (organization_id, id),
      FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id),
      FOREIGN KEY (organization_id, new_membership_id) REFERENCES memberships (organization_id, id),
      FOREIGN KEY (organization_id, scheduled_change_id) REFERENCES membership_scheduled_changes (organization_id, id)
    );
    CREATE UNIQUE INDEX transfer_requests_open ON transfer_requests (organization_id, membership_id)
      WHERE status IN ('pending_destination','pending_organization');
    CREATE INDEX transfer_requests_membership ON transfer_requests (organization_id, membership_id, id);
    CREATE INDEX transfer_requests_status ON transfer_requests (organization_id, status, id);
    CREATE INDEX transfer_requests_chapter ON transfer_requests (organization_id, chapter_id, id);
    CREATE INDEX transfer_requests_to_chapter ON transfer_requests (organization_id, to_chapter_id, id);
    CREATE INDEX transfer_requests_waiting ON transfer_requests (organization_id, to_chapter_id)
      WHERE status IN ('pending_destination','pending_organization');
    CREATE INDEX transfer_requests_requester ON transfer_requests (requested_by);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP VIEW IF EXISTS waiting_approvals;
    DROP TABLE transfer_requests;
    DELETE FROM membership_scheduled_changes WHERE to_chapter_id IS NOT NULL;
    ALTER TABLE membership_scheduled_changes DROP CONSTRAINT membership_scheduled_changes_something;
    ALTER TABLE membership_scheduled_changes DROP COLUMN to_chapter_id,
      ADD CONSTRAINT membership_scheduled_changes_something CHECK (num_nonnulls(status, role) > 0);
  `);
