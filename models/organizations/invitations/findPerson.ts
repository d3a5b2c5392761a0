/** Resolves an address to an account or a placeholder, using only what this organization may know. */
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { NIL } from '../../database/uuid.js';
import { refuse } from '../../errors.js';
import { normalizeEmail, USER_ID_BY_EMAIL } from '../../identity/accounts.js';
import { upsertPlaceholder } from '../../identity/placeholders.js';

/** A person named by an address. The names are used only if the person has no account in the organization. */
export interface NamedAddress {
  email: string;
  first_name?: string | undefined;
  last_name?: string | undefined;
}

export interface ResolvedPerson {
  userId: string;
  /** Whether the user is a placeholder of this organization, so that the person has to accept an invitation first. */
  isPlaceholder: boolean;
}

/**
 * Returns the account that an address belongs to (a verified address first, then a primary one) if it has, or ever had,
 * a membership or an office in the tenant; otherwise the tenant's placeholder for the address. An account without
 * either is treated like no account, by the same statements, so that an address does not reveal whether an account
 * exists.
 * @throws Refusal conflict when the address was accepted at the same moment
 */
export async function findPerson(person: NamedAddress): Promise<ResolvedPerson> {
  const address = normalizeEmail(person.email);
  const accountId = await findAccountInTenant(address);
  if (accountId !== null) return { userId: accountId, isPlaceholder: false };
  const { first_name = address.split('@')[0]?.slice(0, 100) ?? '', last_name = '(invited)' } = person;
  const userId = await upsertPlaceholder(address, first_name, last_name);
  // The insert of the placeholder waits for an invitation that is being accepted at the same moment. The acceptance may
  // have created an account, so the account is looked up again.
  if ((await findAccountInTenant(address)) !== null) {
    throw refuse.conflict(
      'Nothing was changed, because this person accepted an invitation at the same time. Try again.',
    );
  }
  return { userId, isPlaceholder: true };
}

/** SQL: whether the account of this id has, or ever had, a membership or an office in tenant `$2`. */
const IS_IN_TENANT = (id: string): string => `
  EXISTS (SELECT FROM memberships m WHERE m.organization_id = $2 AND m.user_id = ${id})
  OR EXISTS (SELECT FROM organization_admins a WHERE a.organization_id = $2 AND a.user_id = ${id})
  OR EXISTS (SELECT FROM regional_admins a WHERE a.organization_id = $2 AND a.user_id = ${id})`;

/**
 * Returns the account of a normalized address if it has, or ever had, a membership or office in the tenant; otherwise
 * null.
 */
export async function findAccountInTenant(address: string): Promise<string | null> {
  const account = await firstRow<{ id: string; known: boolean }>(
    `SELECT who.id, ${IS_IN_TENANT('who.id')} AS known
       FROM (SELECT coalesce(${USER_ID_BY_EMAIL}, $3::uuid) AS id) who`,
    [address, currentOrganization(), NIL],
  );
  return account?.known ? account.id : null;
}

/**
 * Returns how many of these normalized addresses belong to accounts in the tenant. OFFSET 0 makes Postgres look up each
 * address once, by its key.
 */
export async function countAccountsInTenant(addresses: readonly string[]): Promise<number> {
  const { count } = await oneRow<{ count: number }>(
    `SELECT count(*)::int FROM (
       SELECT ${USER_ID_BY_EMAIL.replaceAll('$1', 'address')} AS id FROM unnest($1::text[]) AS address OFFSET 0) who
      WHERE ${IS_IN_TENANT('who.id')}`,
    [addresses, currentOrganization()],
  );
  return count;
}
