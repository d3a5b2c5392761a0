import { firstRow, rows } from '../../database/rows.js';
import { USER_ID_BY_EMAIL } from '../accounts.js';
import { sealed } from '../notices/noticePerson.js';
import { hashToken, newToken } from '../secretTokens.js';
import { RESET_SECONDS } from './requestPasswordReset.js';

/** A notice of a reset whose token is not made yet. */
export interface AskedReset {
  id: string;
  /** Whose account it is for, as long as the address is theirs. null: whoever the address belongs to now. */
  userId: string | null;
  email: string;
}

export interface IssuedReset {
  secret: string;
  firstName: string;
  /** Beside those of the notice. */
  facts: Record<string, string>;
}

interface Target {
  id: string;
  first_name: string;
  facts?: Record<string, string>;
}

/**
 * Makes the token of a reset when its mail is about to go out: hashed for the account, in place of the one before,
 * and sealed in the notice, so that another try mails the same.
 * @returns null when nobody is to be mailed: the address is nobody's, or not theirs any more, and nobody invited it, or the account is disabled
 */
export async function issueResetToken({ id, userId, email }: AskedReset): Promise<IssuedReset | null> {
  const holder = await firstRow<Target>(
    `SELECT id, first_name FROM users
      WHERE id = ${USER_ID_BY_EMAIL} AND ($2::uuid IS NULL OR id = $2) AND disabled_at IS NULL FOR NO KEY UPDATE`,
    [email, userId],
  );
  const target = holder ?? (userId === null ? await invitedTo(email) : null);
  if (!target) return null;
  const token = newToken();
  await rows(
    `INSERT INTO password_resets (user_id, token_hash, expires_at) VALUES ($1, $2, now() + $3 * interval '1 second')
     ON CONFLICT (user_id) DO UPDATE
       SET token_hash = excluded.token_hash, expires_at = excluded.expires_at, created_at = now()`,
    [target.id, hashToken(token), RESET_SECONDS],
  );
  await rows('UPDATE account_notices SET user_id = $2, secret_encrypted = $3, facts = facts || $4 WHERE id = $1', [
    id,
    target.id,
    sealed(token, id),
    JSON.stringify(target.facts ?? {}),
  ]);
  return { secret: token, firstName: target.first_name, facts: target.facts ?? {} };
}

/**
 * Somebody without an account is let in by the newest invitation to the address; the mail says to which organization.
 * Their placeholder holds the token.
 */
const invitedTo = (email: string): Promise<Target | null> =>
  firstRow<Target>(
    `SELECT u.id, u.first_name, json_build_object('organization', o.name) AS facts
       FROM app.invitations_to(ARRAY[$1]) i JOIN users u ON u.id = i.user_id JOIN organizations o ON o.id = i.organization_id
      ORDER BY i.id DESC LIMIT 1 FOR NO KEY UPDATE OF u`,
    [email],
  );
