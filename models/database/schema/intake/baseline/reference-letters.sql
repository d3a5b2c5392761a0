-- Reference letters about applicants, from people without an account: a mailed link is valid for one letter.
CREATE TABLE pnm_reference_letters (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  profile_id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  email text NOT NULL CHECK (length(email) <= 254),
  relation text CHECK (length(relation) BETWEEN 1 AND 100),
  status text NOT NULL DEFAULT 'requested'
    CHECK (status IN ('requested', 'submitted', 'declined', 'expired', 'cancelled', 'undeliverable')),
  text text CHECK (length(text) BETWEEN 1 AND 10000),
  file_id uuid,
  -- when a file was refused as infected
  file_refused_at timestamptz,
  -- why the application is complete without this letter
  waiver_reason text CHECK (length(waiver_reason) BETWEEN 1 AND 500),
  -- null: the applicant named the referee
  requested_by uuid REFERENCES users,
  expires_at timestamptz NOT NULL,
  -- number of automatic reminders
  reminders integer NOT NULL DEFAULT 0 CHECK (reminders >= 0),
  asked_at timestamptz,
  notice_id uuid,
  -- Outcome of the letter's mails; null: none has an outcome yet. Once a mail was sent, stays 'sent', because the
  -- letter can be submitted through the link in that mail. Stored here, because a notice to a person without an account
  -- is deleted when it ends.
  mail_outcome text CHECK (mail_outcome IN ('sent', 'refused', 'expired', 'cancelled')),
  closed_at timestamptz,
  -- whether the request was cancelled because the recruitment period was closed; reopening the period makes such a
  -- request pending again
  ended_with_period boolean NOT NULL DEFAULT false,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT pnm_reference_letters_one_form CHECK ((status = 'submitted') = (num_nonnulls(text, file_id) = 1)
    AND num_nonnulls(text, file_id) <= 1),
  CONSTRAINT pnm_reference_letters_closed CHECK ((status = 'requested') = (closed_at IS NULL)),
  CONSTRAINT pnm_reference_letters_waived CHECK (waiver_reason IS NULL OR status <> 'submitted'),
  CONSTRAINT pnm_reference_letters_file UNIQUE (organization_id, file_id),
  FOREIGN KEY (organization_id, profile_id) REFERENCES pnm_profiles (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, file_id) REFERENCES stored_files (organization_id, id)
);
CREATE UNIQUE INDEX pnm_reference_letters_one_a_referee ON pnm_reference_letters (organization_id, profile_id, email)
  WHERE status IN ('requested', 'submitted');
CREATE INDEX pnm_reference_letters_waiting ON pnm_reference_letters (organization_id, id) WHERE status = 'requested';
CREATE INDEX pnm_reference_letters_of ON pnm_reference_letters (organization_id, profile_id, id);
CREATE INDEX pnm_reference_letters_mailed ON pnm_reference_letters (notice_id) WHERE notice_id IS NOT NULL;

-- a reminder adds a token; earlier ones stay valid
CREATE TABLE pnm_reference_letter_tokens (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  letter_id uuid NOT NULL,
  token_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT pnm_reference_letter_tokens_token UNIQUE (organization_id, token_hash),
  FOREIGN KEY (organization_id, letter_id) REFERENCES pnm_reference_letters (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX pnm_reference_letter_tokens_of ON pnm_reference_letter_tokens (organization_id, letter_id);
