-- People: platform tables, since a person may belong to several organizations.

-- A trusted extension: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Accounts and placeholders. A placeholder is a person whom an organization entered by an address that no account
-- has. It carries the typed names and address until the person accepts, so that no account is looked up, shown or
-- changed before.
CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  email text CHECK (email = lower(btrim(email)) AND length(email) BETWEEN 3 AND 254),
  password_hash text,
  must_change_password boolean NOT NULL DEFAULT false,
  -- Expiry of a password set by an admin. Applies only while must_change_password is true.
  password_ends_at timestamptz,
  -- The organization whose admin set the password. Such a password proves nothing about the mailbox: it is valid only
  -- in this organization, and is removed with everything set up through it when the account gains access elsewhere.
  -- Null: the person chose the password through the mailbox, or has none.
  password_given_in uuid REFERENCES organizations,
  -- When an admin set the password; if admins set it repeatedly, the first time since the person last chose one.
  -- Credentials older than this were set up by the person.
  password_given_at timestamptz,
  first_name text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 100),
  last_name text NOT NULL CHECK (length(last_name) BETWEEN 1 AND 100),
  phone_number text CHECK (length(phone_number) <= 40),
  is_platform_admin boolean NOT NULL DEFAULT false,
  disabled_at timestamptz,
  last_organization_id uuid,
  -- organization of a placeholder; null for accounts
  placeholder_in uuid REFERENCES organizations,
  -- address as an organization typed it, unverified; look-ups by address do not find it
  typed_email text CHECK (typed_email = lower(btrim(typed_email)) AND length(typed_email) BETWEEN 3 AND 254),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT users_email_unique UNIQUE (email),
  CONSTRAINT users_password_given CHECK ((password_given_in IS NULL) = (password_given_at IS NULL)),
  -- names are stored in Unicode form NFC, so that equal names have equal bytes
  CONSTRAINT users_names_normalized CHECK (first_name IS NFC NORMALIZED AND last_name IS NFC NORMALIZED),
  CONSTRAINT users_placeholder CHECK (CASE WHEN placeholder_in IS NULL
    THEN email IS NOT NULL AND typed_email IS NULL
    -- A placeholder is permanently disabled, so that sign-in, reset, impersonation and appointment refuse it like other
    -- disabled accounts.
    ELSE email IS NULL AND disabled_at IS NOT NULL AND password_hash IS NULL AND NOT must_change_password
         AND NOT is_platform_admin AND last_organization_id IS NULL END)
);
-- one placeholder per address and organization, however often it is typed
CREATE UNIQUE INDEX users_typed_email_unique ON users (typed_email, placeholder_in) WHERE typed_email IS NOT NULL;
CREATE INDEX users_platform_admins ON users (id) WHERE is_platform_admin;
-- for counting accounts
CREATE INDEX users_accounts ON users (id) WHERE email IS NOT NULL;
-- prefix search of addresses: of accounts (the platform's lists use only this index), and of the few placeholders
CREATE INDEX users_search_email ON users ((email COLLATE "C"), id) WHERE email IS NOT NULL;
CREATE INDEX users_search_typed_email ON users ((typed_email COLLATE "C"), id) WHERE typed_email IS NOT NULL;
-- The search key of names: Postgres uses these indexes only for exactly the expression of
-- models/organizations/search.ts.
CREATE INDEX users_search_name ON users (((
  CASE WHEN octet_length(first_name || ' ' || last_name) = length(first_name || ' ' || last_name)
    THEN lower(first_name || ' ' || last_name)
    ELSE translate(lower(regexp_replace(normalize(first_name || ' ' || last_name, NFKD), '[\u0300-\u036f]', '', 'g')),
      'øłđıς', 'oldiσ') END) COLLATE "C"), id);
CREATE INDEX users_search_last_name ON users (((
  CASE WHEN octet_length(last_name || ' ' || first_name) = length(last_name || ' ' || first_name)
    THEN lower(last_name || ' ' || first_name)
    ELSE translate(lower(regexp_replace(normalize(last_name || ' ' || first_name, NFKD), '[\u0300-\u036f]', '', 'g')),
      'øłđıς', 'oldiσ') END) COLLATE "C"), id);
CREATE INDEX users_search_trigrams ON users USING gin ((
  CASE WHEN octet_length(first_name || ' ' || last_name) = length(first_name || ' ' || last_name)
    THEN lower(first_name || ' ' || last_name)
    ELSE translate(lower(regexp_replace(normalize(first_name || ' ' || last_name, NFKD), '[\u0300-\u036f]', '', 'g')),
      'øłđıς', 'oldiσ') END) gin_trgm_ops);
-- names without accents, case and punctuation, for the search of similar names
CREATE INDEX users_plain_name ON users USING gin
  ((lower(regexp_replace(normalize(first_name || ' ' || last_name, NFKD), '[\u0300-\u036f[:punct:]]', '', 'g'))) gin_trgm_ops);

CREATE TABLE user_emails (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  email text NOT NULL CHECK (email = lower(btrim(email)) AND length(email) BETWEEN 3 AND 254),
  is_verified boolean NOT NULL DEFAULT false,
  verification_token_hash text,
  verification_sent_at timestamptz,
  -- The organization whose admin linked this address to the account. The address gives access to the whole account, so
  -- the link is valid only while the person belongs to no other organization.
  linked_in uuid REFERENCES organizations,
  linked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT user_emails_linked CHECK ((linked_in IS NULL) = (linked_at IS NULL) AND (linked_in IS NULL OR is_verified))
);
-- a verified address belongs to one person; an unverified claim proves nothing and blocks no other claim
CREATE UNIQUE INDEX user_emails_verified_unique ON user_emails (email) WHERE is_verified;
CREATE UNIQUE INDEX user_emails_user_email_unique ON user_emails (user_id, email);
CREATE UNIQUE INDEX user_emails_token_unique ON user_emails (verification_token_hash)
  WHERE verification_token_hash IS NOT NULL;
CREATE INDEX user_emails_prefix ON user_emails ((email COLLATE "C"));
CREATE INDEX user_emails_linked ON user_emails (user_id) WHERE linked_in IS NOT NULL;

-- Counters of failed passwords, as leaky buckets: a bucket is empty at clear_at. The keys are digests.
CREATE TABLE failure_budgets (
  scope text NOT NULL,
  key text NOT NULL,
  clear_at timestamptz NOT NULL,
  PRIMARY KEY (scope, key)
);
CREATE INDEX failure_budgets_clear ON failure_budgets (clear_at);

-- Tokens for password resets, one per person: a new request replaces the previous token.
CREATE TABLE password_resets (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  token_hash text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT password_resets_token_unique UNIQUE (token_hash)
);

-- security events of an account
CREATE TABLE security_events (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 100),
  organization_id uuid REFERENCES organizations,
  session_id uuid,
  ip_address text CHECK (length(ip_address) <= 60),
  user_agent text CHECK (length(user_agent) <= 300),
  details jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX security_events_user ON security_events (user_id, id);
CREATE INDEX security_events_user_kind ON security_events (user_id, kind, id);

-- Account mails. A secret is stored encrypted for the mail only, and deleted once the mail is sent.
CREATE TABLE account_notices (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  -- Null if no account is known yet: a password reset names only an address, and the process that sends the mail finds
  -- the account. Applicants, referees, donors and people who request an account have no account.
  user_id uuid REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 100),
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  facts jsonb NOT NULL DEFAULT '{}',
  secret_encrypted text,
  expires_at timestamptz,
  outcome text CHECK (outcome IN ('sent', 'refused', 'expired', 'cancelled')),
  closed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT account_notices_somebody CHECK (user_id IS NOT NULL OR kind = 'password_reset'
    OR kind LIKE 'account\_request\_%' OR kind LIKE 'application\_%' OR kind LIKE 'reference\_letter\_%'
    OR kind LIKE 'donor\_%'),
  CONSTRAINT account_notices_closed CHECK ((outcome IS NULL) = (closed_at IS NULL)),
  CONSTRAINT account_notices_secret_gone CHECK (closed_at IS NULL OR secret_encrypted IS NULL)
);
CREATE INDEX account_notices_user ON account_notices (user_id, id);
CREATE INDEX account_notices_waiting ON account_notices (id) WHERE outcome IS NULL;
-- finds unsent notices by their subject
CREATE INDEX account_notices_about ON account_notices ((facts->>'about')) WHERE outcome IS NULL AND facts ? 'about';

CREATE TABLE account_deletions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users,
  status text NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'erasing', 'erased', 'cancelled', 'refused')),
  erases_at timestamptz NOT NULL,
  closed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status IN ('erased', 'cancelled', 'refused')) = (closed_at IS NOT NULL))
);
-- A person has at most one deletion that is requested, running or completed. An erasure is final.
CREATE UNIQUE INDEX account_deletions_one ON account_deletions (user_id)
  WHERE status IN ('requested', 'erasing', 'erased');

-- The audit log is created before people: its foreign keys are added here.
ALTER TABLE audit_log ADD FOREIGN KEY (actor_user_id) REFERENCES users, ADD FOREIGN KEY (person_id) REFERENCES users;
ALTER TABLE platform_audit_log ADD FOREIGN KEY (actor_user_id) REFERENCES users;
ALTER TABLE audit_values ADD FOREIGN KEY (user_id) REFERENCES users;
