import { firstRow, rows } from '../../database/rows.js';
import { USER_ID_BY_EMAIL } from '../accounts.js';
import { encryptNoticeSecret } from '../notices/enqueueNotice.js';
import { hashToken, newToken } from '../secretTokens.js';
import { RESET_SECONDS } from './requestPasswordReset.js';

/** A reset notice whose token has not been issued yet. */
export interface RequestedReset {
  id: string;
  /**
   * The account whose password is reset; it must still have the address `email`. Null: the password of the account that
   * has this address now is reset.
   */
  userId: string | null;
  email: string;
}

export interface IssuedReset {
  secret: string;
  firstName: string;
  /**
   * Facts for the mail that were unknown when the notice was written: for an invited person, the name of the
   * organization.
   */
  facts: Record<string, string>;
}

interface ResetTarget {
  id: string;
  first_name: string;
  facts?: Record<string, string>;
}

/**
 * Issues a reset token just before its mail is sent. Stores the token's hash for the account, replacing an earlier
 * token. Also stores the encrypted token in the notice, so that a retry mails the same token.
 * @returns null when there is no recipient: no account has the address and no invitation names it, the named account no
 * longer has the address, or the account is disabled
 */
export async function issueResetToken({ id, userId, email }: RequestedReset): Promise<IssuedReset | null> {
  const holder = await firstRow<ResetTarget>(
    `SELECT id, first_name FROM users
      WHERE id = ${USER_ID_BY_EMAIL} AND ($2::uuid IS NULL OR id = $2) AND disabled_at IS NULL FOR NO KEY UPDATE`,
    [email, userId],
  );
  const target = holder ?? (userId === null ? await findInvited(email) : null);
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
    encryptNoticeSecret(token, id),
    JSON.stringify(target.facts ?? {}),
  ]);
  return { secret: token, firstName: target.first_name, facts: target.facts ?? {} };
}

/**
 * Finds the person who was invited to this address and has no account yet (a placeholder), by the newest invitation.
 * The reset token is stored for the placeholder; the mail names the organization.
 */
const findInvited = (email: string): Promise<ResetTarget | null> =>
  firstRow<ResetTarget>(
    `SELECT u.id, u.first_name, json_build_object('organization', o.name) AS facts
       FROM app.invitations_to(ARRAY[$1]) i JOIN users u ON u.id = i.user_id JOIN organizations o ON o.id = i.organization_id
      ORDER BY i.id DESC LIMIT 1 FOR NO KEY UPDATE OF u`,
    [email],
  );
