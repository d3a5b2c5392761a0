/** Temporary passwords: an admin hands them over, and they expire. */
import { config } from '../../../config.js';
import { oneRow } from '../../database/rows.js';

/** Returns how long a temporary password is valid, in seconds. */
export const temporarySeconds = (): number => config.TEMPORARY_PASSWORD_HOURS * 60 * 60;

/**
 * SQL condition: the password of `u` is temporary and has expired. `password_ends_at` counts only while the password
 * must be changed.
 */
export const PASSWORD_HAS_EXPIRED = '(u.must_change_password AND coalesce(u.password_ends_at <= now(), false))';

export interface StoredPassword {
  email: string | null;
  first_name: string;
  last_name: string;
  password_hash: string | null;
  has_ended: boolean;
}

/** Reads the password hash of a signed-in person, to verify the password that they enter again. */
export const readPassword = (userId: string): Promise<StoredPassword> =>
  oneRow<StoredPassword>(
    `SELECT u.email, u.first_name, u.last_name, u.password_hash, ${PASSWORD_HAS_EXPIRED} AS has_ended FROM users u WHERE u.id = $1`,
    [userId],
  );
