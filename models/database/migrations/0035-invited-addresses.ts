import { isolate } from '../isolation.js';
import type { Migration } from '../migrate.js';

/**
 * An organization makes no account for an address that nobody has shown to be its own, mails a stranger at most once a
 * day, and keeps an address while something here waits for its person.
 */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    -- Whatever path makes accounts inside of a tenant: the person chose a password with a mail in hand, or the platform has
    -- seen that the domain is the tenant's. A provider's word alone, or an admin's, makes none.
    CREATE FUNCTION app.prove_account() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM verified_domains WHERE organization_id = app.org_id()
          AND domain = substring(NEW.email FROM '[^@]*$')) THEN
        RAISE EXCEPTION 'nobody has proven this address'
          USING ERRCODE = 'restrict_violation', CONSTRAINT = 'users_proven';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER users_proven BEFORE INSERT ON users FOR EACH ROW
      WHEN (NEW.email IS NOT NULL AND NEW.password_hash IS NULL AND app.org_id() IS NOT NULL)
      EXECUTE FUNCTION app.prove_account();

    CREATE TABLE invitation_mails (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      -- a digest: whoever has declined is forgotten, and still not mailed again the same day
      address_hash text NOT NULL,
      mailed_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT invitation_mails_unique UNIQUE (organization_id, address_hash)
    );
    CREATE INDEX invitation_mails_age ON invitation_mails (organization_id, mailed_at);
    ${isolate('invitation_mails', runtime)}
    INSERT INTO invitation_mails (organization_id, address_hash, mailed_at)
      SELECT i.organization_id, encode(sha256(convert_to(u.typed_email, 'UTF8')), 'hex'), max(i.mailed_at)
        FROM invitations i JOIN users u ON u.id = i.user_id
       WHERE u.typed_email IS NOT NULL AND i.mailed_at > now() - interval '1 day' GROUP BY 1, 2;
    -- null: the address had its mail of the day already
    ALTER TABLE invitations ALTER COLUMN mailed_at DROP NOT NULL, ALTER COLUMN mailed_at DROP DEFAULT;

    CREATE FUNCTION app.keep_typed_email() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF app.placeholder_waits(OLD.id) THEN
        RAISE EXCEPTION 'an invitation here still needs the address'
          USING ERRCODE = 'restrict_violation', CONSTRAINT = 'users_typed_email_needed';
      END IF;
      RETURN NEW;
    END $$;
    -- Whether anything has this placeholder that may still be offered to its person, also what has expired.
    CREATE FUNCTION app.placeholder_waits(p_user uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
      SELECT EXISTS (SELECT FROM memberships m JOIN invitations i
                       ON i.organization_id = m.organization_id AND i.membership_id = m.id
                      WHERE m.user_id = p_user AND i.state IN ('open', 'withdrawn'))
          OR EXISTS (SELECT FROM organization_admins WHERE user_id = p_user)
          OR EXISTS (SELECT FROM regional_admins WHERE user_id = p_user) $$;
    CREATE TRIGGER users_typed_email_needed BEFORE UPDATE OF typed_email ON users FOR EACH ROW
      WHEN (OLD.typed_email IS NOT NULL AND NEW.typed_email IS DISTINCT FROM OLD.typed_email)
      EXECUTE FUNCTION app.keep_typed_email();
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    DROP TRIGGER users_typed_email_needed ON users;
    DROP FUNCTION app.keep_typed_email(), app.placeholder_waits(uuid);
    UPDATE invitations SET mailed_at = created_at WHERE mailed_at IS NULL;
    ALTER TABLE invitations ALTER COLUMN mailed_at SET NOT NULL, ALTER COLUMN mailed_at SET DEFAULT now();
    DROP TABLE invitation_mails;
    DROP TRIGGER users_proven ON users;
    DROP FUNCTION app.prove_account();
  `);
