import { firstRow } from '../database/rows.js';

interface NewAccount {
  email: string;
  first_name: string | null;
  last_name: string | null;
  password_hash?: string;
}

/**
 * Creates an account. Inside a tenant, a trigger checks who has verified the address (`app.prove_account`).
 * @param placeholderId the placeholder whose names (where not given) and telephone number are copied
 * @returns the account's id; null when the address already has an account
 */
export async function createAccount(
  { email, first_name, last_name, password_hash }: NewAccount,
  placeholderId: string | null = null,
): Promise<string | null> {
  const row = await firstRow<{ id: string }>(
    `INSERT INTO users (email, first_name, last_name, password_hash, phone_number)
     SELECT $2, coalesce($3, p.first_name), coalesce($4, p.last_name), $5, p.phone_number
       FROM (SELECT) one LEFT JOIN users p ON p.id = $1
     ON CONFLICT DO NOTHING RETURNING id`,
    [placeholderId, email, first_name, last_name, password_hash ?? null],
  );
  return row?.id ?? null;
}
