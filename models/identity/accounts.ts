/** Accounts by address, and the organizations that let them in. */
import { firstRow } from '../database/rows.js';
import { HAS_ENDED } from './password/temporaryPassword.js';

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

/** What log-in decides on; the hash goes no further than that. */
export interface AccountAtLogin extends Account {
  password_hash: string | null;
  /** The password was handed over and has ended. */
  password_has_ended: boolean;
  disabled: boolean;
  /** Whether membership rule 7, or an admin role, lets this person in anywhere. */
  has_access: boolean;
  /** The asked-for organization, else the last used, else the oldest affiliation; null when there is none. */
  organization: AccountOrganization | null;
}

/** The form in which addresses are stored and compared. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** SQL for the id of the person whom $1 belongs to: verified addresses first, then primary ones (spec: E-mail matching). */
export const USER_ID_BY_EMAIL = `coalesce(
  (SELECT user_id FROM user_emails WHERE email = $1 AND is_verified), (SELECT id FROM users WHERE email = $1))`;

/** SQL for the organizations that let `u` in: kept by triggers from memberships and admin roles. */
const STANDING = `FROM affiliations a JOIN organizations o ON o.id = a.organization_id
  WHERE a.user_id = u.id AND o.is_active`;

/** SQL for what sign-in decides on. $2: id or slug of the asked-for organization. @param person SQL for the id */
const accountAtLogin = (person: string): string => `
  SELECT u.id, u.email, u.first_name, u.last_name, u.is_platform_admin, u.must_change_password,
          u.password_hash, ${HAS_ENDED} AS password_has_ended, u.disabled_at IS NOT NULL AS disabled,
          u.is_platform_admin OR EXISTS (SELECT 1 ${STANDING}) AS has_access,
          CASE WHEN u.is_platform_admin THEN (
            SELECT json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) FROM organizations o
             WHERE o.is_active AND (o.id::text = $2 OR o.slug = $2))
          ELSE (
            SELECT json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) ${STANDING}
               AND ($2::text IS NULL OR o.id::text = $2 OR o.slug = $2)
             ORDER BY (o.id = u.last_organization_id) IS TRUE DESC, a.created_at, o.id LIMIT 1)
          END AS organization
     FROM users u WHERE u.id = ${person}`;

/**
 * The account of a normalized address, in one statement that is the same for every address.
 * @param organization id or slug
 */
export const findAccountAtLogin = (email: string, organization: string | null): Promise<AccountAtLogin | null> =>
  firstRow<AccountAtLogin>(accountAtLogin(USER_ID_BY_EMAIL), [email, organization]);

/** As `findAccountAtLogin`, for somebody whom their passkey names. */
export const findAccountById = (userId: string, organization: string | null): Promise<AccountAtLogin | null> =>
  firstRow<AccountAtLogin>(accountAtLogin('$1'), [userId, organization]);

/** An organization that lets this person in, by id or slug. */
export const findOwnOrganization = (userId: string, organization: string): Promise<AccountOrganization | null> =>
  firstRow<AccountOrganization>(
    `SELECT o.id, o.name, o.slug FROM users u, LATERAL (
       SELECT o.id, o.name, o.slug ${STANDING} AND (o.id::text = $2 OR o.slug = $2) LIMIT 1) o
      WHERE u.id = $1`,
    [userId, organization.toLowerCase()],
  );

/** An organization that exists; whether it lets anybody in is another question. */
export const findOrganization = (id: string): Promise<AccountOrganization | null> =>
  firstRow<AccountOrganization>('SELECT id, name, slug FROM organizations WHERE id = $1', [id]);
