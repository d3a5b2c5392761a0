-- Consents: templates of an organization, their versions, and the records of people.

-- Templates with the text of the current draft. Publishing copies the draft into a version, which never changes
-- (definitions/publish_consent.sql).
CREATE TABLE consent_templates (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  audience text NOT NULL CHECK (audience IN ('applicants', 'members', 'officers')),
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200 AND title !~ '[[:cntrl:]]'),
  method text NOT NULL DEFAULT 'click' CHECK (method IN ('click', 'typed_name')),
  body_html text CHECK (octet_length(body_html) BETWEEN 1 AND 102400),
  body_text text CHECK (octet_length(body_text) BETWEEN 1 AND 102400),
  is_active boolean NOT NULL DEFAULT true,
  -- the latest version; null: none yet
  published_version integer,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT consent_templates_one_body CHECK (num_nonnulls(body_html, body_text) = 1)
);

CREATE TABLE consent_versions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  template_id uuid NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  title text NOT NULL,
  method text NOT NULL,
  body_html text,
  body_text text,
  -- SHA-256 of the text: title, an empty line, body
  text_hash text NOT NULL CHECK (text_hash ~ '^[0-9a-f]{64}$'),
  published_by uuid REFERENCES users,
  published_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT consent_versions_number UNIQUE (organization_id, template_id, number),
  -- target of a foreign key, so that a record cannot combine a version with the text of another version
  UNIQUE (organization_id, template_id, number, text_hash),
  CONSTRAINT consent_versions_template FOREIGN KEY (organization_id, template_id)
    REFERENCES consent_templates (organization_id, id)
);
CREATE INDEX consent_versions_publisher ON consent_versions (published_by);
ALTER TABLE consent_templates ADD CONSTRAINT consent_templates_published
  FOREIGN KEY (organization_id, id, published_version) REFERENCES consent_versions (organization_id, template_id, number);

-- Records of given and withdrawn consent. The last record of a person for a template counts
-- (definitions/keep_consents.sql).
CREATE TABLE consent_records (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  template_id uuid NOT NULL,
  version integer NOT NULL,
  text_hash text NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  ordinal integer NOT NULL CHECK (ordinal > 0),
  kind text NOT NULL CHECK (kind IN ('given', 'withdrawn')),
  request_id text CHECK (length(request_id) <= 100),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT consent_records_order UNIQUE (organization_id, template_id, user_id, ordinal),
  CONSTRAINT consent_records_version FOREIGN KEY (organization_id, template_id, version, text_hash)
    REFERENCES consent_versions (organization_id, template_id, number, text_hash)
);
CREATE INDEX consent_records_user ON consent_records (user_id, organization_id);

-- Personal data of a record: deleted with the person.
CREATE TABLE consent_record_values (
  organization_id uuid NOT NULL REFERENCES organizations,
  record_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  typed_name text CHECK (length(typed_name) BETWEEN 1 AND 200 AND typed_name !~ '[[:cntrl:]]'),
  ip_address text CHECK (length(ip_address) <= 60),
  PRIMARY KEY (organization_id, record_id),
  FOREIGN KEY (organization_id, record_id) REFERENCES consent_records (organization_id, id)
);
CREATE INDEX consent_record_values_user ON consent_record_values (user_id, organization_id);
