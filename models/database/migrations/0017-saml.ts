import { isolate } from '../isolation.js';
import type { Migration } from '../migrate.js';

const URL_TEXT = (column: string): string => `length(${column}) BETWEEN 1 AND 1000`;

/** What SAML adds to a connection: the identity provider's side and ours, messages that were seen, and who is signed in. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    CREATE TABLE saml_configurations (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL REFERENCES organizations,
      idp_entity_id text NOT NULL CHECK (length(idp_entity_id) BETWEEN 1 AND 1024),
      sso_url text NOT NULL CHECK (${URL_TEXT('sso_url')}),
      slo_url text CHECK (${URL_TEXT('slo_url')}),
      certificate_encrypted text NOT NULL,
      -- accepted beside the other while the provider changes over
      next_certificate_encrypted text,
      attribute_mapping jsonb NOT NULL,
      sp_certificate text NOT NULL,
      sp_private_key_encrypted text NOT NULL,
      UNIQUE (organization_id, id),
      FOREIGN KEY (organization_id, id) REFERENCES sso_connections (organization_id, id) ON DELETE CASCADE
    );
    ${isolate('saml_configurations', runtime)}

    -- ids of assertions and logout requests that were acted on, until they are of no use to anybody
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
    ${isolate('saml_seen_messages', runtime)}

    -- what single logout has to name: a person's last sign-in by a configuration
    CREATE TABLE saml_sign_ins (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL,
      configuration_id uuid NOT NULL,
      subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 1024),
      name_id text NOT NULL CHECK (length(name_id) BETWEEN 1 AND 1024),
      name_id_attributes jsonb NOT NULL,
      session_index text CHECK (length(session_index) <= 1024),
      signed_in_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT saml_sign_ins_unique UNIQUE (organization_id, configuration_id, subject),
      FOREIGN KEY (organization_id, configuration_id) REFERENCES saml_configurations (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX saml_sign_ins_name_id ON saml_sign_ins (organization_id, configuration_id, name_id);
    ${isolate('saml_sign_ins', runtime)}
  `);

export const down: Migration['down'] = async ({ run }) =>
  run('DROP TABLE saml_sign_ins, saml_seen_messages, saml_configurations');
