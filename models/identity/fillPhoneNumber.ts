import { firstRow } from '../database/rows.js';

/**
 * Gives an account a telephone number where it has none: a person's own word stands. Whoever has no account yet is left for later.
 * @param phoneNumber of 40 characters at most
 * @returns whether it was written
 */
export const fillPhoneNumber = async (userId: string, phoneNumber: string): Promise<boolean> =>
  (await firstRow(
    `UPDATE users SET phone_number = $2
      WHERE id = $1 AND placeholder_in IS NULL AND coalesce(btrim(phone_number), '') = '' RETURNING id`,
    [userId, phoneNumber],
  )) !== null;
