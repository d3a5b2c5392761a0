import { TIMES, touched } from '../isolation.js';
import type { Migration } from '../migrate.js';

/** People and their sessions: platform tables, since a person may belong to several organizations. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    CREATE TABLE users (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      email text NOT NULL CHECK (email = lower(btrim(email)) AND length(email) BETWEEN 3 AND 254),
      password_hash text,
      must_change_password boolean NOT NULL DEFAULT false,
      first_name text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 100),
      last_name text NOT NULL CHECK (length(last_name) BETWEEN 1 AND 100),
      phone_number text CHECK (length(phone_number) <= 40),
      is_platform_admin boolean NOT NULL DEFAULT false,
      disabled_at timestamptz,
      last_organization_id uuid,
      ${TIMES},
      CONSTRAINT users_email_unique UNIQUE (email)
    );
    ${touched('users')}

    CREATE TABLE user_emails (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      email text NOT NULL CHECK (email = lower(btrim(email)) AND length(email) BETWEEN 3 AND 254),
      is_verified boolean NOT NULL DEFAULT false,
      verification_token_hash text,
      verification_sent_at timestamptz,
      ${TIMES}
    );
    -- an address proves one person; an unverified claim to it proves nothing and blocks nobody
    CREATE UNIQUE INDEX user_emails_verified_unique ON user_emails (email) WHERE is_verified;
    CREATE UNIQUE INDEX user_emails_user_email_unique ON user_emails (user_id, email);
    ${touched('user_emails')}

    CREATE TABLE sessions (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      organization_id uuid,
      client text NOT NULL DEFAULT 'web' CHECK (client IN ('web', 'native')),
      user_agent text CHECK (length(user_agent) <= 300),
      ip_address text CHECK (length(ip_address) <= 60),
      last_seen_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL,
      revoked_at timestamptz,
      revoked_reason text,
      ${TIMES}
    );
    CREATE INDEX sessions_user ON sessions (user_id) WHERE revoked_at IS NULL;
    ${touched('sessions')}

    -- a session's refresh tokens are one family: using an old one again revokes the session
    CREATE TABLE refresh_tokens (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
      expires_at timestamptz NOT NULL,
      used_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE UNIQUE INDEX refresh_tokens_live_unique ON refresh_tokens (session_id) WHERE used_at IS NULL;

    -- wrong passwords, as leaking buckets: one is empty at clear_at; the keys are digests
    CREATE TABLE failure_budgets (
      scope text NOT NULL,
      key text NOT NULL,
      clear_at timestamptz NOT NULL,
      PRIMARY KEY (scope, key)
    );
    CREATE INDEX failure_budgets_clear ON failure_budgets (clear_at);

    GRANT SELECT, INSERT, UPDATE, DELETE ON users, user_emails, sessions, refresh_tokens, failure_budgets TO ${runtime};
  `);

export const down: Migration['down'] = async ({ run }) =>
  run('DROP TABLE failure_budgets, refresh_tokens, sessions, user_emails, users');
