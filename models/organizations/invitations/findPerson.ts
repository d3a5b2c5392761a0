/** Who is meant by an address, as far as this organization may know. */
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { NIL } from '../../database/uuid.js';
import { refuse } from '../../errors.js';
import { normalizeEmail, USER_ID_BY_EMAIL } from '../../identity/accounts.js';
import { keepPlaceholder } from '../../identity/placeholders.js';

/** The names count only for somebody who is not known here. */
export interface NamedAddress {
  email: string;
  first_name?: string | undefined;
  last_name?: string | undefined;
}

export interface FoundPerson {
  userId: string;
  /** A placeholder of this organization: whoever it stands for is asked first. */
  isPlaceholder: boolean;
}

/**
 * The account that an address belongs to (a verified address first, then a primary one) if it has, or ever had, a
 * membership or an office in the tenant; else the tenant's placeholder for the address. An account that is unknown here is
 * treated as none, by the same statements, so that an address gives nobody away.
 * @throws Refusal conflict when the address became known here in the same moment
 */
export async function findPerson(person: NamedAddress): Promise<FoundPerson> {
  const address = normalizeEmail(person.email);
  const known = await findKnown(address);
  if (known !== null) return { userId: known, isPlaceholder: false };
  const { first_name = address.split('@')[0]?.slice(0, 100) ?? '', last_name = '(invited)' } = person;
  const userId = await keepPlaceholder(address, first_name, last_name);
  // Whoever accepted meanwhile was waited for.
  if ((await findKnown(address)) !== null) {
    throw refuse.conflict('This person has just accepted an invitation. Try again.');
  }
  return { userId, isPlaceholder: true };
}

/** SQL: whether the tenant `$2` knows the account of this id. */
const KNOWN = (id: string): string => `
  EXISTS (SELECT FROM memberships m WHERE m.organization_id = $2 AND m.user_id = ${id})
  OR EXISTS (SELECT FROM organization_admins a WHERE a.organization_id = $2 AND a.user_id = ${id})
  OR EXISTS (SELECT FROM regional_admins a WHERE a.organization_id = $2 AND a.user_id = ${id})`;

/** The account of a normalized address that the tenant knows; null for all others. */
export async function findKnown(address: string): Promise<string | null> {
  const found = await firstRow<{ id: string; known: boolean }>(
    `SELECT who.id, ${KNOWN('who.id')} AS known
       FROM (SELECT coalesce(${USER_ID_BY_EMAIL}, $3::uuid) AS id) who`,
    [address, currentOrganization(), NIL],
  );
  return found?.known ? found.id : null;
}

/** How many of these normalized addresses are of accounts that the tenant knows. OFFSET 0: each is looked up once, by its key. */
export async function countKnown(addresses: readonly string[]): Promise<number> {
  const { count } = await oneRow<{ count: number }>(
    `SELECT count(*)::int FROM (
       SELECT ${USER_ID_BY_EMAIL.replaceAll('$1', 'address')} AS id FROM unnest($1::text[]) AS address OFFSET 0) who
      WHERE ${KNOWN('who.id')}`,
    [addresses, currentOrganization()],
  );
  return count;
}
