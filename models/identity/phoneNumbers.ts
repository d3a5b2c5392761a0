/** Reads and writes the telephone numbers of several people of the tenant, both accounts and placeholders. */
import { currentOrganization, rows } from '../database/rows.js';

export interface PhoneNumber {
  id: string;
  phone_number: string | null;
  /**
   * Whether this person also belongs to another organization, or is a platform admin. Then this organization may not
   * change the number.
   */
  elsewhere: boolean;
}

/** Locks these people in the order of their ids and returns their numbers. */
export const lockPhoneNumbers = (userIds: readonly string[]): Promise<PhoneNumber[]> =>
  rows<PhoneNumber>(
    `SELECT id, phone_number, placeholder_in IS NULL AND (is_platform_admin OR app.belongs_elsewhere(id, $2)) AS elsewhere
       FROM users WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`,
    [userIds, currentOrganization()],
  );

/**
 * Sets the numbers of people whom the caller has locked.
 * @param numbers of 40 characters at most
 */
export const setPhoneNumbers = (numbers: readonly Pick<PhoneNumber, 'id' | 'phone_number'>[]): Promise<unknown> =>
  rows(
    `UPDATE users u SET phone_number = n.phone_number FROM jsonb_to_recordset($1) AS n (id uuid, phone_number text)
      WHERE u.id = n.id`,
    [JSON.stringify(numbers)],
  );
