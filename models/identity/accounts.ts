/** Looks up accounts by address, and the organizations that an account may sign in to. */
import { firstRow } from '../database/rows.js';
import { PASSWORD_HAS_EXPIRED } from './password/temporaryPassword.js';

export interface AccountOrganization {
  id: string;
  name: string;
  slug: string;
}

export interface Account {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  is_platform_admin: boolean;
  must_change_password: boolean;
}

/** The account data on which sign-in decides. Do not pass the password hash on to other code. */
export interface AccountAtLogin extends Account {
  password_hash: string | null;
  /** Whether the password is a temporary one that has expired. */
  password_has_ended: boolean;
  disabled: boolean;
  /** Whether membership rule 7 or an admin role gives this person access to any organization. */
  has_access: boolean;
  /**
   * The organization to sign in to: the requested one; if none was requested, the one used last, else the one of the
   * oldest affiliation. Null if there is none.
   */
  organization: AccountOrganization | null;
}

/** Returns an address in the form in which addresses are stored and compared. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/**
 * SQL for the id of the person to whom address $1 belongs. A person who has verified the address comes before one who
 * has it as primary address (spec: E-mail matching).
 */
export const USER_ID_BY_EMAIL = `coalesce(
  (SELECT user_id FROM user_emails WHERE email = $1 AND is_verified), (SELECT id FROM users WHERE email = $1))`;

/**
 * SQL for the organizations that `u` may sign in to. Triggers maintain `affiliations` from memberships and admin roles.
 */
const OWN_ORGANIZATIONS = `FROM affiliations a JOIN organizations o ON o.id = a.organization_id
  WHERE a.user_id = u.id AND o.is_active`;

/**
 * SQL for the account data that sign-in decides on. $2 is the id or slug of the requested organization.
 * @param person SQL for the user id
 */
const accountAtLoginSql = (person: string): string => `
  SELECT u.id, u.email, u.first_name, u.last_name, u.is_platform_admin, u.must_change_password,
          u.password_hash, ${PASSWORD_HAS_EXPIRED} AS password_has_ended, u.disabled_at IS NOT NULL AS disabled,
          u.is_platform_admin OR EXISTS (SELECT 1 ${OWN_ORGANIZATIONS}) AS has_access,
          CASE WHEN u.is_platform_admin THEN (
            SELECT json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) FROM organizations o
             WHERE o.is_active AND (o.id::text = $2 OR o.slug = $2))
          ELSE (
            SELECT json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) ${OWN_ORGANIZATIONS}
               AND ($2::text IS NULL OR o.id::text = $2 OR o.slug = $2)
             ORDER BY (o.id = u.last_organization_id) IS TRUE DESC, a.created_at, o.id LIMIT 1)
          END AS organization
     FROM users u WHERE u.id = ${person}`;

/**
 * Finds the account of a normalized address. The same single statement runs for every address, so timing reveals
 * nothing.
 * @param organization id or slug
 */
export const findAccountAtLogin = (email: string, organization: string | null): Promise<AccountAtLogin | null> =>
  firstRow<AccountAtLogin>(accountAtLoginSql(USER_ID_BY_EMAIL), [email, organization]);

/** Finds the account of a user id, as `findAccountAtLogin` does for an address. Sign-in with a passkey uses it. */
export const findAccountById = (userId: string, organization: string | null): Promise<AccountAtLogin | null> =>
  firstRow<AccountAtLogin>(accountAtLoginSql('$1'), [userId, organization]);

/** Finds, by id or slug, an organization that this person may sign in to. */
export const findOwnOrganization = (userId: string, organization: string): Promise<AccountOrganization | null> =>
  firstRow<AccountOrganization>(
    `SELECT o.id, o.name, o.slug FROM users u, LATERAL (
       SELECT o.id, o.name, o.slug ${OWN_ORGANIZATIONS} AND (o.id::text = $2 OR o.slug = $2) LIMIT 1) o
      WHERE u.id = $1`,
    [userId, organization.toLowerCase()],
  );

/** Finds an organization by id. Does not check whether sign-ins to it are allowed. */
export const findOrganization = (id: string): Promise<AccountOrganization | null> =>
  firstRow<AccountOrganization>('SELECT id, name, slug FROM organizations WHERE id = $1', [id]);
