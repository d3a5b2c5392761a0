-- Push tokens, delivery records, and the state of the push gateways.

-- Push tokens, delivery records, and the state of the push gateways.

-- Push tokens, one row per device, no matter how many organizations its owner belongs to.
CREATE TABLE push_tokens (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- The session that registered the token. When the session is revoked, the token ends; when the session only expires,
  -- the token stays.
  session_id uuid REFERENCES sessions ON DELETE SET NULL,
  -- the organization of a session that is limited to it: the device receives only notifications of this organization
  confined_to uuid REFERENCES organizations,
  platform text NOT NULL CHECK (platform IN ('ios', 'android')),
  environment text NOT NULL DEFAULT 'production' CHECK (environment IN ('production', 'sandbox')),
  token_encrypted text NOT NULL,
  -- digest of platform and token; the token has too much entropy to be guessed
  token_hash text NOT NULL CONSTRAINT push_tokens_unique UNIQUE CHECK (token_hash ~ '^[A-Za-z0-9_-]{43}$'),
  device_name text CHECK (length(device_name) BETWEEN 1 AND 100),
  is_active boolean NOT NULL DEFAULT true,
  last_registered_at timestamptz NOT NULL DEFAULT now(),
  deactivated_reason text CHECK (deactivated_reason IN ('removed', 'session_ended', 'unregistered', 'replaced')),
  deactivated_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT push_tokens_deactivated CHECK
    (is_active = (deactivated_reason IS NULL) AND is_active = (deactivated_at IS NULL))
);
CREATE INDEX push_tokens_user ON push_tokens (user_id, id);
CREATE INDEX push_tokens_pruned ON push_tokens (platform, deactivated_at) WHERE deactivated_reason = 'unregistered';
-- Finds the tokens to deactivate when a session is revoked, including tokens that the gateway reported as unknown.
CREATE INDEX push_tokens_session ON push_tokens (session_id) WHERE is_active OR deactivated_reason = 'unregistered';

-- One attempt to reach one device, recorded before it is made.
CREATE TABLE push_delivery_records (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organization_id uuid NOT NULL REFERENCES organizations,
  -- null once the notification was pruned
  notification_id uuid,
  token_id uuid NOT NULL REFERENCES push_tokens ON DELETE CASCADE,
  platform text NOT NULL CHECK (platform IN ('ios', 'android')),
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  attempt integer NOT NULL CHECK (attempt >= 1),
  -- null: the attempt is in progress, or the process that sent it ended before it recorded the outcome
  outcome text CHECK (outcome IN
    ('success', 'unregistered', 'transient_failure', 'skipped_no_credentials', 'suppressed_by_preference')),
  error_code text CHECK (length(error_code) BETWEEN 1 AND 64),
  gateway_id text CHECK (length(gateway_id) BETWEEN 1 AND 500),
  duration_ms integer CHECK (duration_ms >= 0),
  -- time of the next attempt; null: this was the last
  repeats_at timestamptz,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  concluded_at timestamptz,
  UNIQUE (organization_id, id),
  CONSTRAINT push_delivery_records_once UNIQUE (organization_id, notification_id, token_id, attempt),
  CONSTRAINT push_delivery_records_concluded CHECK ((outcome IS NULL) = (concluded_at IS NULL)),
  CONSTRAINT push_delivery_records_repeats CHECK (repeats_at IS NULL OR outcome = 'transient_failure'),
  FOREIGN KEY (organization_id, notification_id) REFERENCES notifications (organization_id, id)
    ON DELETE SET NULL (notification_id)
);
-- Finds recent gateway answers of all organizations, for the check that halts the removal of tokens (pruning_halted_at)
-- and for the endpoint platform-push-health.
CREATE INDEX push_delivery_records_lately ON push_delivery_records (platform, claimed_at) INCLUDE (outcome, token_id);
CREATE INDEX push_delivery_records_age ON push_delivery_records (claimed_at);
CREATE INDEX push_delivery_records_token ON push_delivery_records (token_id);

-- State of each push gateway, for all organizations: the credentials are the platform's.
CREATE TABLE push_gateways (
  platform text PRIMARY KEY CHECK (platform IN ('ios', 'android')),
  -- when sending was paused because the gateway rejects the platform's credentials; then one probe is sent per minute
  paused_at timestamptz,
  paused_by text CHECK (length(paused_by) BETWEEN 1 AND 64),
  probe_at timestamptz,
  -- when the removal of tokens was halted because the gateway reports too many devices as unknown
  pruning_halted_at timestamptz,
  -- answers of the gateway from before this time are ignored, because they seemed wrong
  believed_since timestamptz NOT NULL DEFAULT '-infinity',
  CONSTRAINT push_gateways_paused CHECK
    ((paused_at IS NULL) = (paused_by IS NULL) AND (paused_at IS NULL) = (probe_at IS NULL))
);
INSERT INTO push_gateways (platform) VALUES ('ios'), ('android');
