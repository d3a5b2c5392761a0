import type { Migration } from '../../schemaFiles.js';

/**
 * Creates exports of invoices as workbooks: an object in the store for a week, and a row with the request and its
 * progress.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE TABLE invoice_exports (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      -- null: the whole organization
      chapter_id uuid,
      filters jsonb NOT NULL DEFAULT '{}',
      columns jsonb NOT NULL DEFAULT '["id", "payer_name", "payer_type", "chapter", "term", "description", "status", "issue_date",
        "due_date", "original_due_date", "currency", "total_cents", "discount_cents", "credit_cents", "paid_cents", "balance_due_cents"]',
      state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued','running','ready','failed','cancelled')),
      -- one of the slots that an organization has for running exports
      place integer CHECK (place BETWEEN 1 AND 3),
      failure text CHECK (failure IN ('too_many_rows')),
      -- invoices created later are not included
      cut_off timestamptz,
      rows_total integer CHECK (rows_total >= 0),
      rows_done integer NOT NULL DEFAULT 0 CHECK (rows_done >= 0),
      -- whether the file shows amounts
      has_amounts boolean,
      sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      requested_by uuid REFERENCES users,
      -- null after the sweep has removed the file
      file_id uuid,
      ended_at timestamptz,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (organization_id, id),
      CONSTRAINT invoice_exports_under_way CHECK ((state IN ('queued','running')) = (ended_at IS NULL)),
      CONSTRAINT invoice_exports_place CHECK ((place IS NOT NULL) = (state IN ('queued','running'))),
      CONSTRAINT invoice_exports_failed CHECK ((state = 'failed') = (failure IS NOT NULL)),
      CONSTRAINT invoice_exports_file CHECK (file_id IS NULL OR (state = 'ready' AND sha256 IS NOT NULL AND has_amounts IS NOT NULL)),
      FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
      FOREIGN KEY (organization_id, file_id) REFERENCES stored_files (organization_id, id) ON DELETE SET NULL (file_id)
    );
    CREATE UNIQUE INDEX invoice_exports_places ON invoice_exports (organization_id, place) WHERE place IS NOT NULL;
    CREATE INDEX invoice_exports_list ON invoice_exports (organization_id, created_at, id);
    CREATE INDEX invoice_exports_of_chapter ON invoice_exports (organization_id, chapter_id, created_at, id);
    CREATE UNIQUE INDEX invoice_exports_by_file ON invoice_exports (organization_id, file_id);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE invoice_exports;
  `);
