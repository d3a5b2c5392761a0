-- Mail settings of an organization; the row is created by the first change.
CREATE TABLE notification_settings (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL UNIQUE REFERENCES organizations,
  -- sender of the organization's mail
  from_name text CHECK (length(from_name) BETWEEN 1 AND 100 AND from_name !~ '[[:cntrl:]]'),
  from_email text CHECK (length(from_email) BETWEEN 3 AND 254 AND from_email !~ '[[:cntrl:][:space:]]'),
  -- from_email if the platform's mail server sends for this address, otherwise null
  platform_sender text,
  reply_to text CHECK (length(reply_to) BETWEEN 3 AND 254 AND reply_to !~ '[[:cntrl:][:space:]]'),
  smtp_host text CHECK (length(smtp_host) BETWEEN 1 AND 253),
  smtp_port integer CHECK (smtp_port BETWEEN 1 AND 65535),
  smtp_security text CHECK (smtp_security IN ('tls', 'starttls')),
  smtp_username text CHECK (length(smtp_username) BETWEEN 1 AND 254),
  smtp_password_encrypted text,
  push_previews boolean NOT NULL DEFAULT true,
  ai_scope_notifications boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id),
  CONSTRAINT notification_settings_smtp CHECK ((smtp_host IS NULL) = (smtp_port IS NULL)
    AND (smtp_host IS NULL) = (smtp_security IS NULL)),
  CONSTRAINT notification_settings_login CHECK ((smtp_username IS NULL) = (smtp_password_encrypted IS NULL)
    AND (smtp_username IS NULL OR smtp_host IS NOT NULL)),
  CONSTRAINT notification_settings_sender CHECK (smtp_host IS NULL OR from_email IS NOT NULL),
  CONSTRAINT notification_settings_platform_sender
    CHECK (platform_sender IS NULL OR (from_email IS NOT NULL AND platform_sender = from_email AND smtp_host IS NULL)),
  -- a sender address of the platform's domains belongs to one organization
  CONSTRAINT notification_settings_one_sender UNIQUE (platform_sender)
);
