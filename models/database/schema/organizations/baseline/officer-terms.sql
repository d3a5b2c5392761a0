-- Terms of chapter offices, terms planned for successors, hand-over requests, and sent notices.

CREATE TABLE officer_terms (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  membership_id uuid NOT NULL,
  position text NOT NULL CHECK (position IN ('president','vice_president','treasurer','secretary','intake','other')),
  title text CHECK (length(title) BETWEEN 1 AND 100),
  starts_on date NOT NULL,
  -- planned end: after it the term continues until a successor begins or the term is ended
  ends_on date,
  -- null: the term is running
  ended_on date,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT officer_terms_planned CHECK (ends_on >= starts_on),
  CONSTRAINT officer_terms_days CHECK (ended_on >= starts_on),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
    ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE UNIQUE INDEX officer_terms_president ON officer_terms (organization_id, chapter_id)
  WHERE position = 'president' AND ended_on IS NULL;
CREATE UNIQUE INDEX officer_terms_once ON officer_terms (organization_id, membership_id, position)
  WHERE position <> 'other' AND ended_on IS NULL;
CREATE INDEX officer_terms_chapter ON officer_terms (organization_id, chapter_id, starts_on, id);
CREATE INDEX officer_terms_running ON officer_terms (organization_id, membership_id) WHERE ended_on IS NULL;
CREATE INDEX officer_terms_ending ON officer_terms (organization_id, ends_on) WHERE ended_on IS NULL;
CREATE INDEX officer_terms_ended ON officer_terms (organization_id, ended_on) WHERE ended_on IS NOT NULL;

CREATE TABLE planned_terms (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  membership_id uuid NOT NULL,
  position text NOT NULL CHECK (position IN ('president','vice_president','treasurer','secretary','intake','other')),
  title text CHECK (length(title) BETWEEN 1 AND 100),
  starts_on date NOT NULL,
  ends_on date,
  -- the running term that ends when this one begins; null: no predecessor
  predecessor_id uuid,
  state text NOT NULL DEFAULT 'scheduled' CHECK (state IN ('scheduled','begun','cancelled','refused','failed')),
  refusal text,
  requested_by uuid REFERENCES users,
  cancelled_by uuid REFERENCES users,
  ended_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT planned_terms_planned CHECK (ends_on >= starts_on),
  CONSTRAINT planned_terms_ended CHECK ((state = 'scheduled') = (ended_at IS NULL)),
  CONSTRAINT planned_terms_refusal CHECK ((state IN ('refused','failed')) = (refusal IS NOT NULL)),
  FOREIGN KEY (organization_id, chapter_id, membership_id) REFERENCES memberships (organization_id, chapter_id, id)
    ON UPDATE CASCADE ON DELETE CASCADE,
  FOREIGN KEY (organization_id, predecessor_id) REFERENCES officer_terms (organization_id, id)
    ON DELETE SET NULL (predecessor_id)
);
CREATE UNIQUE INDEX planned_terms_once ON planned_terms (organization_id, membership_id, position)
  WHERE position <> 'other' AND state = 'scheduled';
CREATE UNIQUE INDEX planned_terms_predecessor ON planned_terms (organization_id, predecessor_id)
  WHERE state = 'scheduled';
CREATE INDEX planned_terms_due ON planned_terms (organization_id, starts_on, id) WHERE state = 'scheduled';
CREATE INDEX planned_terms_list ON planned_terms (organization_id, chapter_id, id);

CREATE TABLE hand_over_requests (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  chapter_id uuid NOT NULL,
  term_id uuid NOT NULL,
  successor_id uuid NOT NULL,
  effective_on date,
  ends_on date,
  status text NOT NULL CHECK (status IN ('pending','approved','rejected','withdrawn')),
  requested_by uuid NOT NULL REFERENCES users,
  reviewed_by uuid REFERENCES users,
  reviewed_at timestamptz,
  review_notes text CHECK (length(review_notes) <= 2000),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT hand_over_requests_own CHECK (requested_by <> reviewed_by),
  CONSTRAINT hand_over_requests_reviewed CHECK (
    (status IN ('approved','rejected')) = (reviewed_at IS NOT NULL) AND (reviewed_at IS NULL) = (reviewed_by IS NULL)),
  CONSTRAINT hand_over_requests_reason CHECK (status <> 'rejected' OR review_notes IS NOT NULL),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, chapter_id) REFERENCES chapters (organization_id, id),
  FOREIGN KEY (organization_id, term_id) REFERENCES officer_terms (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, successor_id) REFERENCES memberships (organization_id, id)
);
CREATE UNIQUE INDEX hand_over_requests_open ON hand_over_requests (organization_id, term_id) WHERE status = 'pending';
CREATE INDEX hand_over_requests_status ON hand_over_requests (organization_id, status, id);
CREATE INDEX hand_over_requests_chapter ON hand_over_requests (organization_id, chapter_id, id);
CREATE INDEX hand_over_requests_waiting ON hand_over_requests (organization_id, chapter_id) WHERE status = 'pending';
CREATE INDEX hand_over_requests_requester ON hand_over_requests (requested_by);

-- a notice of a term is sent once
CREATE TABLE officer_term_notices (
  organization_id uuid NOT NULL REFERENCES organizations,
  term_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('ends_soon','held_over','vacant')),
  due_on date NOT NULL,
  told_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, term_id, kind, due_on),
  FOREIGN KEY (organization_id, term_id) REFERENCES officer_terms (organization_id, id) ON DELETE CASCADE
);
