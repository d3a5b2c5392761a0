import { firstRow, rows } from '../../database/rows.js';
import { USER_ID_BY_EMAIL } from '../accounts.js';
import { sealed } from '../notices/noticePerson.js';
import { hashToken, newToken } from '../secretTokens.js';
import { RESET_SECONDS } from './requestPasswordReset.js';

/** A notice of a reset whose token is not made yet. */
export interface AskedReset {
  id: string;
  /** null: whoever the address belongs to now. */
  userId: string | null;
  email: string;
}

export interface IssuedReset {
  secret: string;
  firstName: string;
}

/**
 * Makes the token of a reset when its mail is about to go out: hashed for the account, in place of the one before,
 * and sealed in the notice, so that another try mails the same.
 * @returns null when nobody is to be mailed: the address is nobody's, or the account is disabled
 */
export async function issueResetToken({ id, userId, email }: AskedReset): Promise<IssuedReset | null> {
  const holder = await firstRow<{ id: string; first_name: string }>(
    `SELECT id, first_name FROM users
      WHERE id = coalesce($2::uuid, ${USER_ID_BY_EMAIL}) AND disabled_at IS NULL FOR NO KEY UPDATE`,
    [email, userId],
  );
  if (!holder) return null;
  const token = newToken();
  await rows(
    `INSERT INTO password_resets (user_id, token_hash, expires_at) VALUES ($1, $2, now() + $3 * interval '1 second')
     ON CONFLICT (user_id) DO UPDATE
       SET token_hash = excluded.token_hash, expires_at = excluded.expires_at, created_at = now()`,
    [holder.id, hashToken(token), RESET_SECONDS],
  );
  await rows('UPDATE account_notices SET user_id = $2, secret_encrypted = $3 WHERE id = $1', [
    id,
    holder.id,
    sealed(token, id),
  ]);
  return { secret: token, firstName: holder.first_name };
}
