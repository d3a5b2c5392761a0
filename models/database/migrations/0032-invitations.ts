import { isolate, TIMES, touched } from '../isolation.js';
import type { Migration } from '../migrate.js';

/**
 * People whom an organization names by an address that nobody here has: a placeholder of that organization carries the
 * typed names and address until the person accepts, so that no account is looked at, shown or touched before.
 */
export const up: Migration['up'] = async ({ run, runtime }) =>
  run(`
    ALTER TABLE users
      -- whose placeholder this is; null for accounts
      ADD COLUMN placeholder_in uuid REFERENCES organizations,
      -- what somebody typed: proves nobody, and no look-up by address finds it
      ADD COLUMN typed_email text CHECK (typed_email = lower(btrim(typed_email)) AND length(typed_email) BETWEEN 3 AND 254),
      ALTER COLUMN email DROP NOT NULL,
      ADD CONSTRAINT users_placeholder CHECK (CASE WHEN placeholder_in IS NULL
        THEN email IS NOT NULL AND typed_email IS NULL
        -- disabled for good: whatever signs in, resets, impersonates or appoints refuses it as it refuses those
        ELSE email IS NULL AND disabled_at IS NOT NULL AND password_hash IS NULL AND NOT must_change_password
             AND NOT is_platform_admin AND last_organization_id IS NULL AND phone_number IS NULL END);
    -- an address is one person in an organization, however often it is typed
    CREATE UNIQUE INDEX users_typed_email_unique ON users (typed_email, placeholder_in) WHERE typed_email IS NOT NULL;
    -- the platform's lists of accounts read this alone; organizations search among what they show
    DROP INDEX users_search_email;
    CREATE INDEX users_search_email ON users ((email COLLATE "C"), id) WHERE email IS NOT NULL;
    -- accounts are counted in it
    CREATE INDEX users_accounts ON users (id) WHERE email IS NOT NULL;
    CREATE INDEX users_search_shown_email ON users ((coalesce(email, typed_email) COLLATE "C"), id);

    CREATE FUNCTION app.keep_placeholder() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a placeholder stays one, and an account never becomes one'
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'users_placeholder_stays';
    END $$;
    CREATE TRIGGER users_placeholder_stays BEFORE UPDATE OF placeholder_in ON users FOR EACH ROW
      WHEN (NEW.placeholder_in IS DISTINCT FROM OLD.placeholder_in) EXECUTE FUNCTION app.keep_placeholder();

    CREATE TABLE invitations (
      id uuid PRIMARY KEY DEFAULT uuidv7(),
      organization_id uuid NOT NULL REFERENCES organizations,
      -- the placeholder
      user_id uuid NOT NULL REFERENCES users,
      membership_id uuid,
      organization_admin_id uuid,
      regional_admin_id uuid,
      state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'declined', 'withdrawn')),
      token_hash text,
      mailed_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL,
      invited_by uuid REFERENCES users,
      closed_at timestamptz,
      ${TIMES},
      CONSTRAINT invitations_one_subject CHECK (num_nonnulls(membership_id, organization_admin_id, regional_admin_id) = 1),
      CONSTRAINT invitations_closed CHECK ((state = 'open') = (closed_at IS NULL)),
      -- what is closed opens nothing
      CONSTRAINT invitations_token CHECK ((state = 'open') = (token_hash IS NOT NULL)),
      UNIQUE (organization_id, id),
      CONSTRAINT invitations_membership_unique UNIQUE (organization_id, membership_id),
      CONSTRAINT invitations_organization_admin_unique UNIQUE (organization_id, organization_admin_id),
      CONSTRAINT invitations_regional_admin_unique UNIQUE (organization_id, regional_admin_id),
      FOREIGN KEY (organization_id, membership_id) REFERENCES memberships (organization_id, id) ON DELETE CASCADE,
      FOREIGN KEY (organization_id, organization_admin_id)
        REFERENCES organization_admins (organization_id, id) ON DELETE CASCADE,
      FOREIGN KEY (organization_id, regional_admin_id) REFERENCES regional_admins (organization_id, id) ON DELETE CASCADE
    );
    CREATE INDEX invitations_person ON invitations (organization_id, user_id);
    CREATE INDEX invitations_user ON invitations (user_id) WHERE state = 'open';
    CREATE INDEX invitations_token_hash ON invitations (token_hash) WHERE token_hash IS NOT NULL;
    ${touched('invitations')}
    ${isolate('invitations', runtime)}

    -- Whoever ends a membership that nobody has accepted takes the invitation back, by whatever path.
    CREATE FUNCTION app.withdraw_invitation() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE invitations SET state = 'withdrawn', token_hash = NULL, closed_at = now()
       WHERE organization_id = NEW.organization_id AND membership_id = NEW.id AND state = 'open';
      RETURN NULL;
    END $$;
    CREATE TRIGGER memberships_invitation AFTER UPDATE OF status ON memberships FOR EACH ROW
      WHEN (NEW.status IN ('inactive', 'disaffiliated') AND OLD.status IS DISTINCT FROM NEW.status)
      EXECUTE FUNCTION app.withdraw_invitation();

    ${keepAffiliation({ knowsPlaceholders: true })}

    -- A mail's token is shown before a tenant is known.
    CREATE FUNCTION app.invitation_of_token(p_token_hash text)
      RETURNS TABLE (id uuid, organization_id uuid, user_id uuid)
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
        SELECT i.id, i.organization_id, i.user_id FROM invitations i JOIN organizations o ON o.id = i.organization_id
         WHERE i.token_hash = p_token_hash AND i.state = 'open' AND i.expires_at > now() AND o.is_active $$;

    -- What is open for whoever holds these addresses, in whatever organization; the newest first.
    CREATE FUNCTION app.invitations_to(p_emails text[])
      RETURNS TABLE (id uuid, organization_id uuid, user_id uuid, kind text, chapter text, region text, role text,
                     title text, mailed_at timestamptz, expires_at timestamptz)
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
        SELECT i.id, i.organization_id, i.user_id, CASE WHEN i.membership_id IS NOT NULL THEN 'member'
                 WHEN i.organization_admin_id IS NOT NULL THEN 'organization_admin' ELSE 'regional_admin' END, c.name, r.name, coalesce(m.role, ra.role),
               coalesce(oa.title, ra.title), i.mailed_at, i.expires_at
          FROM users u JOIN invitations i ON i.user_id = u.id AND i.state = 'open' AND i.expires_at > now()
          JOIN organizations o ON o.id = i.organization_id AND o.is_active
          LEFT JOIN memberships m ON m.id = i.membership_id
          LEFT JOIN chapters c ON c.id = m.chapter_id
          LEFT JOIN organization_admins oa ON oa.id = i.organization_admin_id
          LEFT JOIN regional_admins ra ON ra.id = i.regional_admin_id
          LEFT JOIN regions r ON r.id = ra.region_id
         WHERE u.typed_email IS NOT NULL AND u.typed_email = ANY (p_emails) ORDER BY i.id DESC $$;
    REVOKE ALL ON FUNCTION app.invitation_of_token(text), app.invitations_to(text[]) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION app.invitation_of_token(text), app.invitations_to(text[]) TO ${runtime};
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    DROP FUNCTION app.invitations_to(text[]), app.invitation_of_token(text);
    ${keepAffiliation({ knowsPlaceholders: false })}
    DROP TRIGGER memberships_invitation ON memberships;
    DROP FUNCTION app.withdraw_invitation();
    DROP TABLE invitations;
    DROP TRIGGER users_placeholder_stays ON users;
    DROP FUNCTION app.keep_placeholder();
    DROP INDEX users_accounts, users_search_shown_email, users_search_email, users_typed_email_unique;
    CREATE INDEX users_search_email ON users ((email COLLATE "C"), id);
    -- memberships and invoices hang on them: what nobody has accepted becomes an account that opens nothing
    ALTER TABLE users DROP CONSTRAINT users_placeholder;
    UPDATE users SET email = 'invited-' || id || '@erased.invalid' WHERE placeholder_in IS NOT NULL;
    ALTER TABLE users ALTER COLUMN email SET NOT NULL, DROP COLUMN typed_email, DROP COLUMN placeholder_in;
  `);

/** A placeholder belongs nowhere: it is never among affiliations, and holds no office before somebody has accepted it. */
const PLACEHOLDERS = `
        SELECT placeholder_in INTO home FROM users WHERE id = who FOR NO KEY UPDATE;
        IF home IS NOT NULL THEN
          IF home <> coalesce(NEW.organization_id, OLD.organization_id) THEN
            RAISE EXCEPTION 'a placeholder stays in its organization'
              USING ERRCODE = 'restrict_violation', CONSTRAINT = 'placeholder_elsewhere';
          END IF;
          IF TG_OP <> 'DELETE' AND to_jsonb(NEW) ->> 'user_id' = who::text AND to_jsonb(NEW) ->> 'is_active' = 'true' THEN
            RAISE EXCEPTION 'nobody has accepted this office'
              USING ERRCODE = 'restrict_violation', CONSTRAINT = 'invitation_open';
          END IF;
          CONTINUE;
        END IF;
        IF TG_OP = 'UPDATE' AND who = OLD.user_id AND NEW.user_id <> OLD.user_id THEN
          RAISE EXCEPTION 'what is one person''s does not become another''s'
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'person_stays';
        END IF;`;
const ACCOUNTS = `
        PERFORM 1 FROM users WHERE id = who FOR NO KEY UPDATE;`;

const keepAffiliation = ({ knowsPlaceholders: knows }: { knowsPlaceholders: boolean }): string => `
    CREATE OR REPLACE FUNCTION app.keep_affiliation() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      who uuid; stands boolean; wanted text := TG_ARGV[0];${knows ? ' home uuid;' : ''}
    BEGIN
      FOR who IN SELECT DISTINCT id FROM unnest(ARRAY[
          CASE WHEN TG_OP <> 'INSERT' THEN OLD.user_id END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.user_id END]) AS id
          WHERE id IS NOT NULL ORDER BY id LOOP
        -- two transactions about one person see one another, so that neither keeps nor drops too much${knows ? PLACEHOLDERS : ACCOUNTS}
        stands := CASE wanted
          WHEN 'member' THEN EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = who
            AND m.organization_id = coalesce(NEW.organization_id, OLD.organization_id) AND app.gives_access(m.status))
          WHEN 'organization_admin' THEN EXISTS (SELECT 1 FROM organization_admins a WHERE a.user_id = who
            AND a.organization_id = coalesce(NEW.organization_id, OLD.organization_id) AND a.is_active)
          ELSE EXISTS (SELECT 1 FROM regional_admins a WHERE a.user_id = who
            AND a.organization_id = coalesce(NEW.organization_id, OLD.organization_id) AND a.is_active) END;
        IF stands THEN
          INSERT INTO affiliations (user_id, organization_id, kind)
            VALUES (who, coalesce(NEW.organization_id, OLD.organization_id), wanted) ON CONFLICT DO NOTHING;
        ELSE
          DELETE FROM affiliations WHERE user_id = who AND kind = wanted
            AND organization_id = coalesce(NEW.organization_id, OLD.organization_id);
        END IF;
      END LOOP;
      RETURN NULL;
    END $$;`;
