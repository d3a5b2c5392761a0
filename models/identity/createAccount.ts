import { firstRow } from '../database/rows.js';

interface NewAccount {
  email: string;
  first_name: string | null;
  last_name: string | null;
  password_hash?: string;
}

/**
 * Inside of a tenant the database asks who has proven the address (`app.prove_account`).
 * @param placeholderId has the names that are not given, and a telephone number
 * @returns the account's id; null when the address has one already
 */
export async function createAccount(
  { email, first_name, last_name, password_hash }: NewAccount,
  placeholderId: string | null = null,
): Promise<string | null> {
  const made = await firstRow<{ id: string }>(
    `INSERT INTO users (email, first_name, last_name, password_hash, phone_number)
     SELECT $2, coalesce($3, p.first_name), coalesce($4, p.last_name), $5, p.phone_number
       FROM (SELECT) one LEFT JOIN users p ON p.id = $1
     ON CONFLICT DO NOTHING RETURNING id`,
    [placeholderId, email, first_name, last_name, password_hash ?? null],
  );
  return made?.id ?? null;
}
