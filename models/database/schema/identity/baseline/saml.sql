-- SAML settings of a connection: the identity provider's side and ours, and processed messages.

-- SAML settings of a connection: the identity provider's side and ours, and processed messages.

CREATE TABLE saml_configurations (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations,
  idp_entity_id text NOT NULL CHECK (length(idp_entity_id) BETWEEN 1 AND 1024),
  sso_url text NOT NULL CHECK (length(sso_url) BETWEEN 1 AND 1000),
  slo_url text CHECK (length(slo_url) BETWEEN 1 AND 1000),
  certificate_encrypted text NOT NULL,
  -- further certificates that are accepted while the provider rotates its key
  next_certificate_encrypted text,
  third_certificate_encrypted text,
  attribute_mapping jsonb NOT NULL,
  sp_certificate text NOT NULL,
  sp_private_key_encrypted text NOT NULL,
  -- where the provider publishes its certificates, and the result of the last refresh
  metadata_url text CHECK (length(metadata_url) BETWEEN 1 AND 1000),
  last_refreshed_at timestamptz,
  last_refresh_error text CHECK (length(last_refresh_error) BETWEEN 1 AND 100),
  refresh_failing_since timestamptz,
  refresh_warned_at timestamptz,
  CONSTRAINT saml_configurations_refresh
    CHECK ((last_refresh_error IS NULL) = (refresh_failing_since IS NULL)
      AND (metadata_url IS NOT NULL OR (last_refreshed_at IS NULL AND last_refresh_error IS NULL))),
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, id) REFERENCES sso_connections (organization_id, id) ON DELETE CASCADE
);

-- ids of processed assertions and logout requests, kept until they expire (replay protection)
CREATE TABLE saml_seen_messages (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  configuration_id uuid NOT NULL,
  message_hash text NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT saml_seen_messages_unique UNIQUE (organization_id, configuration_id, message_hash),
  FOREIGN KEY (organization_id, configuration_id) REFERENCES saml_configurations (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX saml_seen_messages_expiry ON saml_seen_messages (organization_id, expires_at);

-- our keys for encrypted assertions: the published one, and earlier ones until their date
CREATE TABLE saml_encryption_keys (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  configuration_id uuid NOT NULL,
  certificate text NOT NULL,
  private_key_encrypted text NOT NULL,
  retires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (organization_id, configuration_id) REFERENCES saml_configurations (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saml_encryption_keys_current ON saml_encryption_keys (organization_id, configuration_id)
  WHERE retires_at IS NULL;
CREATE INDEX saml_encryption_keys_configuration ON saml_encryption_keys (organization_id, configuration_id);

-- at most one warning per certificate
CREATE TABLE saml_certificate_warnings (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  configuration_id uuid NOT NULL,
  fingerprint text NOT NULL CHECK (length(fingerprint) BETWEEN 1 AND 100),
  days integer NOT NULL CHECK (days IN (30, 7)),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT saml_certificate_warnings_unique UNIQUE (organization_id, configuration_id, fingerprint, days),
  FOREIGN KEY (organization_id, configuration_id) REFERENCES saml_configurations (organization_id, id) ON DELETE CASCADE
);
