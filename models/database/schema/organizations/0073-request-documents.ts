import type { Migration } from '../../schemaFiles.js';

/** Adds documents to requests for another status, and withdrawal of account requests by their sender. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    -- a document belongs to one request; without a request it is swept
    ALTER TABLE stored_files ADD COLUMN shown_at timestamptz,
      ADD CONSTRAINT stored_files_shown CHECK (shown_at IS NULL OR purpose = 'request_document');
    CREATE INDEX stored_files_unshown ON stored_files (kept_at)
      WHERE status = 'kept' AND purpose = 'request_document' AND shown_at IS NULL;

    -- null after the sweep has removed the file
    ALTER TABLE status_change_requests ADD COLUMN document_id uuid,
      ADD CONSTRAINT status_change_requests_document FOREIGN KEY (organization_id, document_id)
        REFERENCES stored_files (organization_id, id) ON DELETE SET NULL (document_id);
    CREATE UNIQUE INDEX status_change_requests_one_document ON status_change_requests (organization_id, document_id)
      WHERE document_id IS NOT NULL;

    -- the mailed token verifies the address once, and withdraws the request while it is pending
    ALTER TABLE account_requests ADD COLUMN withdrawal_hash text;
    CREATE INDEX account_requests_withdrawal ON account_requests (organization_id, withdrawal_hash)
      WHERE withdrawal_hash IS NOT NULL;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    ALTER TABLE account_requests DROP COLUMN withdrawal_hash;
    DROP FUNCTION IF EXISTS app.remove_withdrawn_document() CASCADE;
    ALTER TABLE status_change_requests DROP COLUMN document_id;
    ALTER TABLE stored_files DROP COLUMN shown_at;
  `);
