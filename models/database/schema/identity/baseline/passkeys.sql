CREATE TABLE webauthn_credentials (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- at most 1023 bytes (WebAuthn, 4: Credential ID), as base64url
  credential_id text NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1364),
  public_key bytea NOT NULL CHECK (octet_length(public_key) BETWEEN 1 AND 4096),
  signature_counter bigint NOT NULL CHECK (signature_counter >= 0),
  transports text[] NOT NULL DEFAULT '{}',
  is_synced boolean NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  last_used_at timestamptz,
  -- when the signature counter went backwards; the passkey may have been copied, so sign-in refuses it
  needs_reenrollment_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webauthn_credentials_user ON webauthn_credentials (user_id, id);

-- Challenges sent to passkeys. A challenge is deleted when any answer to it arrives, accepted or not.
CREATE TABLE webauthn_challenges (
  challenge_hash text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('registration', 'authentication')),
  user_id uuid REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  CONSTRAINT webauthn_challenges_for_somebody CHECK ((purpose = 'registration') = (user_id IS NOT NULL))
);
CREATE INDEX webauthn_challenges_expiry ON webauthn_challenges (expires_at);
CREATE INDEX webauthn_challenges_user ON webauthn_challenges (user_id) WHERE user_id IS NOT NULL;

-- users who dismissed the passkey setup card
CREATE TABLE passkey_enrollment_dismissals (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  dismissed_at timestamptz NOT NULL DEFAULT now()
);
