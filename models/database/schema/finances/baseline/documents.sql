-- Files and proofs that people request: exports of invoices, rendered documents, and proofs of good standing.

-- Exports of invoices as workbooks: an object in the store for a week, and a row with the request and its progress.
CREATE TABLE invoice_exports (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- null: the whole organization
  chapter_id uuid,
  filters jsonb NOT NULL DEFAULT '{}',
  columns jsonb NOT NULL DEFAULT '["id", "payer_name", "payer_type", "chapter", "term", "description", "status", "issue_date",
    "due_date", "original_due_date", "currency", "total_cents", "discount_cents", "credit_cents", "paid_cents", "balance_due_cents"]',
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued','running','ready','failed','cancelled')),
  -- number that a running export holds; an organization has three of them, so at most three of its exports run at a
  -- time
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
  CONSTRAINT invoice_exports_file CHECK (file_id IS NULL
    OR (state = 'ready' AND sha256 IS NOT NULL AND has_amounts IS NOT NULL)),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, file_id) REFERENCES stored_files (organization_id, id) ON DELETE SET NULL (file_id)
);
CREATE UNIQUE INDEX invoice_exports_places ON invoice_exports (organization_id, place) WHERE place IS NOT NULL;
CREATE INDEX invoice_exports_list ON invoice_exports (organization_id, created_at, id);
CREATE INDEX invoice_exports_of_chapter ON invoice_exports (organization_id, chapter_id, created_at, id);
CREATE UNIQUE INDEX invoice_exports_by_file ON invoice_exports (organization_id, file_id);

-- Long receipts and statements that a process renders on request; the object stays in the store until it is downloaded.
CREATE TABLE drawn_documents (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- subject and days of the document, and how much its reader may see
  request jsonb NOT NULL,
  requested_by uuid NOT NULL REFERENCES users,
  file_id uuid,
  drawn_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT drawn_documents_drawn CHECK ((file_id IS NULL) = (drawn_at IS NULL)),
  -- the row is deleted when the sweep removes its file
  FOREIGN KEY (organization_id, file_id) REFERENCES stored_files (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX drawn_documents_of_person ON drawn_documents (organization_id, requested_by, created_at);
CREATE UNIQUE INDEX drawn_documents_by_file ON drawn_documents (organization_id, file_id);

-- Proofs that a member was in good standing on a day. A person with the code can see the proof until its last day.
CREATE TABLE good_standing_proofs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  membership_id uuid NOT NULL,
  -- digest of a code that is shown once
  code_hash text NOT NULL CHECK (length(code_hash) = 43),
  -- days in the organization's time zone; good_until is included
  was_good_on date NOT NULL,
  good_until date NOT NULL,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT good_standing_days CHECK (good_until BETWEEN was_good_on + 1 AND was_good_on + 90),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
);
CREATE INDEX good_standing_code ON good_standing_proofs (code_hash);
CREATE INDEX good_standing_member ON good_standing_proofs (organization_id, membership_id, id);
