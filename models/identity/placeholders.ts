/** Manages placeholders: people whom an organization has invited and who have not accepted yet. */
import { eraseAuditValues } from '../database/audit.js';
import { currentOrganization, firstRow, oneRow, rows } from '../database/rows.js';
import { deletePasswordReset } from './password/deletePasswordReset.js';

/** Reports whether this is a placeholder of the open tenant. */
export const isPlaceholder = async (userId: string): Promise<boolean> =>
  (await firstRow('SELECT FROM users WHERE id = $1 AND placeholder_in = $2', [userId, currentOrganization()])) !== null;

/**
 * Finds or creates the tenant's placeholder for an address. Locks it, so that the person cannot accept an invitation
 * until the transaction ends.
 * @param email normalized
 * @returns its id
 */
export async function upsertPlaceholder(email: string, firstName: string, lastName: string): Promise<string> {
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO users (placeholder_in, typed_email, first_name, last_name, disabled_at) VALUES ($1, $2, $3, $4, now())
     ON CONFLICT (typed_email, placeholder_in) WHERE typed_email IS NOT NULL DO UPDATE SET updated_at = now()
     RETURNING id`,
    [currentOrganization(), email, firstName, lastName],
  );
  return id;
}

interface NamedPerson {
  /** Normalized address. */
  email: string;
  first_name: string;
  last_name: string;
}

/**
 * Finds or creates many placeholders in one statement, as `upsertPlaceholder` does for one. Locks them in the order of
 * their addresses, so that concurrent calls do not deadlock.
 * @returns ids by address
 */
export async function upsertPlaceholders(people: readonly NamedPerson[]): Promise<Map<string, string>> {
  const uniquePeople = [...new Map(people.map((person) => [person.email, person])).values()];
  const placeholders = await rows<{ id: string; typed_email: string }>(
    `INSERT INTO users (placeholder_in, typed_email, first_name, last_name, disabled_at)
     SELECT $1, p.email, p.first_name, p.last_name, now()
       FROM jsonb_to_recordset($2) AS p (email text, first_name text, last_name text) ORDER BY p.email
     ON CONFLICT (typed_email, placeholder_in) WHERE typed_email IS NOT NULL DO UPDATE SET updated_at = now()
     RETURNING id, typed_email`,
    [currentOrganization(), JSON.stringify(uniquePeople)],
  );
  return new Map(placeholders.map(({ id, typed_email }) => [typed_email, id]));
}

/**
 * Erases the address and telephone number of a placeholder, and deletes its unsent notices.
 * @param keepsName whether the name is kept, because another row of this organization still shows it
 */
export async function erasePlaceholder(userId: string, keepsName: boolean): Promise<void> {
  await rows(
    `UPDATE users SET typed_email = NULL, phone_number = NULL,
            first_name = CASE WHEN $3 THEN first_name ELSE 'Invitation' END,
            last_name = CASE WHEN $3 THEN last_name ELSE 'closed' END
      WHERE id = $2 AND placeholder_in = $1`,
    [currentOrganization(), userId, keepsName],
  );
  if (!keepsName) await eraseAuditValues(userId);
  await rows('DELETE FROM account_notices WHERE user_id = $1', [userId]);
  await deletePasswordReset(userId);
}
