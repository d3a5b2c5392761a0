import type { Migration } from '../migrate.js';

/**
 * A password that an admin handed out proves nothing about the mailbox: whoever has it may be that admin. It stands in
 * the organization that it comes from, and falls with everything that was set up by it when the account begins to mean
 * something elsewhere.
 */
export const up: Migration['up'] = async ({ run }) =>
  run(`
    -- null: the person chose the password by way of their mailbox, or there is none
    ALTER TABLE users
      ADD COLUMN password_given_in uuid REFERENCES organizations,
      -- the first of them, where one followed another: what is older was set up by the person
      ADD COLUMN password_given_at timestamptz,
      ADD CONSTRAINT users_password_given CHECK ((password_given_in IS NULL) = (password_given_at IS NULL));

    -- Whoever had the given password may have set up other ways in, which must not outlive it.
    CREATE FUNCTION app.drop_given_credentials() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM webauthn_credentials WHERE user_id = OLD.id AND created_at >= OLD.password_given_at;
      DELETE FROM webauthn_challenges WHERE user_id = OLD.id;
      DELETE FROM social_accounts WHERE user_id = OLD.id AND created_at >= OLD.password_given_at;
      DELETE FROM social_link_flows WHERE user_id = OLD.id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER users_given_credentials AFTER UPDATE OF password_given_in ON users FOR EACH ROW
      WHEN (OLD.password_given_in IS NOT NULL AND NEW.password_given_in IS DISTINCT FROM OLD.password_given_in)
      EXECUTE FUNCTION app.drop_given_credentials();

    CREATE FUNCTION app.withdraw_given_password(p_user uuid, p_organization uuid) RETURNS void
      LANGUAGE plpgsql AS $$
    DECLARE
      address text; notice uuid := uuidv7();
    BEGIN
      UPDATE users SET password_hash = NULL, must_change_password = false, password_given_in = NULL,
             password_given_at = NULL
       WHERE id = p_user AND password_given_in IS DISTINCT FROM p_organization AND password_given_in IS NOT NULL
       RETURNING email INTO address;
      IF address IS NULL THEN RETURN; END IF;
      UPDATE sessions SET revoked_at = now(), revoked_reason = 'password_withdrawn'
       WHERE user_id = p_user AND revoked_at IS NULL;
      DELETE FROM password_resets WHERE user_id = p_user;
      INSERT INTO security_events (user_id, kind) VALUES (p_user, 'password.withdrawn');
      INSERT INTO account_notices (id, user_id, kind, email) VALUES (notice, p_user, 'password_withdrawn', address);
      INSERT INTO outbox (process, workflow_id, input) VALUES ('sendAccountNotice', 'account-notice/' || notice,
        json_build_object('organizationId', NULL, 'noticeId', notice));
    END $$;

    CREATE FUNCTION app.affiliation_withdraws() RETURNS trigger
      LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM app.withdraw_given_password(NEW.user_id, NEW.organization_id);
      RETURN NULL;
    END $$;
    CREATE TRIGGER affiliations_given_password AFTER INSERT ON affiliations
      FOR EACH ROW EXECUTE FUNCTION app.affiliation_withdraws();

    CREATE FUNCTION app.platform_admin_withdraws() RETURNS trigger
      LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM app.withdraw_given_password(NEW.id, NULL);
      RETURN NULL;
    END $$;
    CREATE TRIGGER users_given_password AFTER UPDATE OF is_platform_admin ON users
      FOR EACH ROW WHEN (NEW.is_platform_admin AND NOT OLD.is_platform_admin)
      EXECUTE FUNCTION app.platform_admin_withdraws();
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    DROP TRIGGER users_given_password ON users;
    DROP TRIGGER affiliations_given_password ON affiliations;
    DROP FUNCTION app.platform_admin_withdraws();
    DROP FUNCTION app.affiliation_withdraws();
    DROP FUNCTION app.withdraw_given_password(uuid, uuid);
    DROP TRIGGER users_given_credentials ON users;
    DROP FUNCTION app.drop_given_credentials();
    ALTER TABLE users DROP COLUMN password_given_in, DROP COLUMN password_given_at;
  `);
