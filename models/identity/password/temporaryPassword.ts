/** A password that somebody else handed over ends by itself. */
import { config } from '../../../config.js';
import { oneRow } from '../../database/rows.js';

/** How long it opens anything, in seconds. */
export const temporarySeconds = (): number => config.TEMPORARY_PASSWORD_HOURS * 60 * 60;

/** SQL of whether the password of `u` was handed over and has ended. What is said of its end counts while it has to be changed. */
export const HAS_ENDED = '(u.must_change_password AND coalesce(u.password_ends_at <= now(), false))';

export interface KnownPassword {
  email: string | null;
  first_name: string;
  last_name: string;
  password_hash: string | null;
  has_ended: boolean;
}

/** What a password that a signed-in person shows is compared with. */
export const passwordOf = (userId: string): Promise<KnownPassword> =>
  oneRow<KnownPassword>(
    `SELECT u.email, u.first_name, u.last_name, u.password_hash, ${HAS_ENDED} AS has_ended FROM users u WHERE u.id = $1`,
    [userId],
  );
