import { firstRow } from '../database/rows.js';
import { normalizeEmail, USER_ID_BY_EMAIL } from '../identity/accounts.js';

/** Who is meant by an address; the names count only for somebody new. */
export interface NamedAddress {
  email: string;
  first_name?: string | undefined;
  last_name?: string | undefined;
}

/**
 * The person whom an address belongs to (a verified address first, then a primary one), or a new one without a password.
 * Answers alike for both, so that nobody learns who has an account.
 * @returns the user's id
 */
export async function findOrCreatePerson({ email, first_name, last_name }: NamedAddress): Promise<string> {
  const address = normalizeEmail(email);
  const known = async () => (await firstRow<{ id: string | null }>(`SELECT ${USER_ID_BY_EMAIL} AS id`, [address]))?.id;
  const id = (await known()) ?? (await create(address, first_name, last_name)) ?? (await known());
  if (!id) throw new Error('A person who was there a moment ago is gone.');
  return id;
}

/** @returns null when somebody else has just created the same person */
async function create(email: string, firstName?: string, lastName?: string): Promise<string | null> {
  const made = await firstRow<{ id: string }>(
    `INSERT INTO users (email, first_name, last_name) VALUES ($1, $2, $3) ON CONFLICT (email) DO NOTHING RETURNING id`,
    [email, firstName ?? email.split('@')[0]?.slice(0, 100), lastName ?? '(invited)'],
  );
  return made?.id ?? null;
}
