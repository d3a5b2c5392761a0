-- Mails of organizations. A mail is claimed before it is sent, so that after a crash it is known which mails may have
-- been sent.
CREATE TABLE mail_messages (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- null for a person who is no user, for example a donor
  recipient_id uuid REFERENCES users,
  email text NOT NULL CHECK (length(email) BETWEEN 1 AND 254),
  -- Message-ID, derived from the subject, so that a repeated sending is recognized as the same mail
  message_id text NOT NULL CHECK (length(message_id) BETWEEN 1 AND 200),
  critical boolean NOT NULL,
  -- whether a mail with unknown outcome is sent again
  repeatable boolean NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  outcome text CHECK (outcome IN ('sent', 'failed', 'bounced', 'unknown')),
  -- the failure, as an RFC 3463 status
  status text CHECK (status ~ '^[45]\.[0-9]{1,3}\.[0-9]{1,3}$'),
  concluded_at timestamptz,
  -- when a server rejected the address permanently; null again after an admin cleared it
  bounced_at timestamptz,
  UNIQUE (organization_id, id),
  CONSTRAINT mail_messages_once UNIQUE (organization_id, message_id),
  CONSTRAINT mail_messages_concluded CHECK ((outcome IS NULL) = (concluded_at IS NULL)),
  CONSTRAINT mail_messages_bounced CHECK (bounced_at IS NULL OR (outcome IN ('bounced', 'failed') AND status IS NOT NULL))
);
CREATE INDEX mail_messages_open ON mail_messages (organization_id, claimed_at) WHERE outcome IS NULL;
CREATE INDEX mail_messages_recipient ON mail_messages (organization_id, recipient_id, claimed_at);
CREATE INDEX mail_messages_age ON mail_messages (claimed_at);
CREATE INDEX mail_messages_bounces ON mail_messages (organization_id, email, bounced_at) WHERE bounced_at IS NOT NULL;

-- Addresses that an organization no longer mails, until an admin clears them.
CREATE TABLE mail_suppressions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- null for a person who is no user
  user_id uuid REFERENCES users,
  email text NOT NULL CHECK (length(email) BETWEEN 1 AND 254),
  reason text NOT NULL CHECK (reason IN ('unknown_address', 'hard_bounces')),
  status text NOT NULL CHECK (status ~ '^5\.[0-9]{1,3}\.[0-9]{1,3}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT mail_suppressions_once UNIQUE (organization_id, email)
);
CREATE INDEX mail_suppressions_user ON mail_suppressions (user_id);

-- An organization's mail server that fails, while the failure lasts. It has its own table, because a failure is not a
-- change of the settings.
CREATE TABLE mail_server_failures (
  organization_id uuid PRIMARY KEY REFERENCES organizations,
  -- the step at which sending failed
  step text NOT NULL CHECK (step IN ('resolve', 'connect', 'tls', 'greeting', 'auth', 'sender', 'recipient', 'data')),
  -- a reply code or the name of an error, never what the server wrote
  answer text NOT NULL CHECK (answer ~ '^[A-Za-z0-9_]{1,100}$'),
  since timestamptz NOT NULL DEFAULT now(),
  last_tried_at timestamptz NOT NULL DEFAULT now(),
  -- when the admins were notified
  told_at timestamptz
);
