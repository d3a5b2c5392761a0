import { TIMES, touched } from '../isolation.js';
import type { Migration } from '../migrate.js';

/** Devices and successors of sessions, accounts that are to be deleted, and organizations that the platform creates. */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    -- devices that a person has signed in with before, also those whose sessions have ended
    CREATE INDEX sessions_devices ON sessions (user_id, user_agent);
    CREATE INDEX sessions_organization ON sessions (organization_id) WHERE revoked_at IS NULL;

    -- the token that this one was exchanged for: what concurrent refreshes are told apart from theft by
    ALTER TABLE refresh_tokens ADD COLUMN predecessor_id uuid;

    CREATE TABLE account_deletions (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      user_id uuid NOT NULL REFERENCES users,
      status text NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'erasing', 'erased', 'cancelled', 'refused')),
      erases_at timestamptz NOT NULL,
      closed_at timestamptz,
      ${TIMES},
      CHECK ((status IN ('erased', 'cancelled', 'refused')) = (closed_at IS NOT NULL))
    );
    -- whoever is erased stays it
    CREATE UNIQUE INDEX account_deletions_one ON account_deletions (user_id)
      WHERE status IN ('requested', 'erasing', 'erased');
    ${touched('account_deletions')}
    GRANT SELECT, INSERT, UPDATE ON account_deletions TO ${runtime};

    CREATE INDEX users_platform_admins ON users (id) WHERE is_platform_admin;
    CREATE INDEX user_emails_prefix ON user_emails ((email COLLATE "C"));

    -- of accounts that are erased
    GRANT DELETE ON security_events TO ${runtime};

    CREATE POLICY create_own ON organizations FOR INSERT TO ${runtime} WITH CHECK (id = (SELECT app.org_id()));
    GRANT INSERT ON organizations TO ${runtime};
  `);

export const down: Migration['down'] = async ({ run, runtime }) =>
  run(`
    REVOKE INSERT ON organizations FROM ${runtime};
    DROP POLICY create_own ON organizations;
    REVOKE DELETE ON security_events FROM ${runtime};
    DROP INDEX user_emails_prefix, users_platform_admins;
    DROP TABLE account_deletions;
    ALTER TABLE refresh_tokens DROP COLUMN predecessor_id;
    DROP INDEX sessions_organization, sessions_devices;
  `);
