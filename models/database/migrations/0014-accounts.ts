import type { Migration } from '../migrate.js';

/** Addresses that prove themselves, forgotten passwords, and mail about accounts that can be called off. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    ALTER TABLE account_notices
      -- a forgotten password is asked for with an address: whose it is, the process that mails finds out
      ALTER COLUMN user_id DROP NOT NULL,
      ADD CONSTRAINT account_notices_somebody CHECK (user_id IS NOT NULL OR kind = 'password_reset'),
      DROP CONSTRAINT account_notices_outcome_check,
      ADD CONSTRAINT account_notices_outcome_check CHECK (outcome IN ('sent', 'refused', 'expired', 'cancelled'));
    GRANT DELETE ON account_notices TO ${runtime};

    CREATE UNIQUE INDEX user_emails_token_unique ON user_emails (verification_token_hash)
      WHERE verification_token_hash IS NOT NULL;

    CREATE INDEX security_events_user_kind ON security_events (user_id, kind, id);

    -- one a person: who asks again gets another token, and the one before opens nothing any more
    CREATE TABLE password_resets (
      user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      token_hash text NOT NULL,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT password_resets_token_unique UNIQUE (token_hash)
    );
    GRANT SELECT, INSERT, UPDATE, DELETE ON password_resets TO ${runtime};

    -- Whoever is, was or may become somebody in another organization: an admin of this one sets them no password.
    CREATE FUNCTION app.belongs_elsewhere(p_user uuid, p_organization uuid) RETURNS boolean
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
        SELECT EXISTS (SELECT FROM memberships WHERE user_id = p_user AND organization_id <> p_organization)
            OR EXISTS (SELECT FROM organization_admins WHERE user_id = p_user AND organization_id <> p_organization)
            OR EXISTS (SELECT FROM regional_admins WHERE user_id = p_user AND organization_id <> p_organization) $$;
    REVOKE ALL ON FUNCTION app.belongs_elsewhere(uuid, uuid) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION app.belongs_elsewhere(uuid, uuid) TO ${runtime};
  `);

export const down: Migration['down'] = async ({ run, runtime }) =>
  run(`
    DROP FUNCTION app.belongs_elsewhere(uuid, uuid);
    DROP TABLE password_resets;
    DROP INDEX user_emails_token_unique, security_events_user_kind;
    REVOKE DELETE ON account_notices FROM ${runtime};
    DELETE FROM account_notices WHERE outcome = 'cancelled' OR user_id IS NULL;
    ALTER TABLE account_notices
      DROP CONSTRAINT account_notices_outcome_check,
      ADD CONSTRAINT account_notices_outcome_check CHECK (outcome IN ('sent', 'refused', 'expired')),
      DROP CONSTRAINT account_notices_somebody,
      ALTER COLUMN user_id SET NOT NULL;
  `);
