/** People whom an organization has named and who have no account with it yet. */
import { forgetInLog } from '../database/audit.js';
import { currentOrganization, firstRow, oneRow, rows } from '../database/rows.js';
import { dropPasswordReset } from './password/dropPasswordReset.js';

/** Whether this is somebody who was named in the tenant and has not accepted. */
export const isPlaceholder = async (userId: string): Promise<boolean> =>
  (await firstRow('SELECT FROM users WHERE id = $1 AND placeholder_in = $2', [userId, currentOrganization()])) !== null;

/**
 * Finds or makes the tenant's placeholder for an address, and keeps it from being accepted until the transaction ends.
 * @param email normalized
 * @returns its id
 */
export async function keepPlaceholder(email: string, firstName: string, lastName: string): Promise<string> {
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO users (placeholder_in, typed_email, first_name, last_name, disabled_at) VALUES ($1, $2, $3, $4, now())
     ON CONFLICT (typed_email, placeholder_in) WHERE typed_email IS NOT NULL DO UPDATE SET updated_at = now()
     RETURNING id`,
    [currentOrganization(), email, firstName, lastName],
  );
  return id;
}

interface Named {
  /** Normalized. */
  email: string;
  first_name: string;
  last_name: string;
}

/** The same of many, in one statement, and in one order. @returns ids by address */
export async function keepPlaceholders(people: readonly Named[]): Promise<Map<string, string>> {
  const each = [...new Map(people.map((person) => [person.email, person])).values()];
  const kept = await rows<{ id: string; typed_email: string }>(
    `INSERT INTO users (placeholder_in, typed_email, first_name, last_name, disabled_at)
     SELECT $1, p.email, p.first_name, p.last_name, now()
       FROM jsonb_to_recordset($2) AS p (email text, first_name text, last_name text) ORDER BY p.email
     ON CONFLICT (typed_email, placeholder_in) WHERE typed_email IS NOT NULL DO UPDATE SET updated_at = now()
     RETURNING id, typed_email`,
    [currentOrganization(), JSON.stringify(each)],
  );
  return new Map(kept.map(({ id, typed_email }) => [typed_email, id]));
}

/** Erases address and telephone number of a placeholder, and what was to be mailed to it. @param keepsName whether something here goes by the name */
export async function forgetPlaceholder(userId: string, keepsName: boolean): Promise<void> {
  await rows(
    `UPDATE users SET typed_email = NULL, phone_number = NULL,
            first_name = CASE WHEN $3 THEN first_name ELSE 'Invitation' END,
            last_name = CASE WHEN $3 THEN last_name ELSE 'closed' END
      WHERE id = $2 AND placeholder_in = $1`,
    [currentOrganization(), userId, keepsName],
  );
  if (!keepsName) await forgetInLog(userId);
  await rows('DELETE FROM account_notices WHERE user_id = $1', [userId]);
  await dropPasswordReset(userId);
}
