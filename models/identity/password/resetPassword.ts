/** Sets a new password with a mailed reset token. */
import type { Origin } from '../../database/connection.js';
import { firstRow } from '../../database/rows.js';
import { inPlatform, inTenantIfAny } from '../../database/tenancy.js';
import { identityUpstream } from '../upstream.js';
import { identityErrors } from '../errors.js';
import { inHashSlot } from '../hashSlots.js';
import { hashPassword } from './passwordHash.js';
import { type PasswordOwner, requireGoodPassword } from './passwordRules.js';
import { hashToken } from '../secretTokens.js';
import { storeNewPassword } from './storeNewPassword.js';

type TokenHolder = PasswordOwner & { id: string; organization_id: string | null };

/**
 * Resets the password and ends every session of the account (spec: Credential transport, 5). The token is only read at
 * first, so that a password that is too weak does not use it up. It is deleted before the password is changed, so that
 * only one of two concurrent calls succeeds. Opens its own transactions, because no connection may be held while a
 * password is hashed.
 * @throws Refusal reset_token_invalid; validation_error naming new_password
 */
export async function resetPassword(token: string, newPassword: string, origin: Origin): Promise<void> {
  const tokenHash = hashToken(token);
  const holder = await inPlatform(() => findHolder(tokenHash), { readOnly: true });
  if (!holder) throw identityErrors.reset_token_invalid();
  await requireGoodPassword(newPassword, holder, 'new_password');
  const passwordHash = await inHashSlot(() => hashPassword(newPassword));
  const work = () => consumeAndStore(tokenHash, passwordHash);
  const isStored = await inTenantIfAny(holder.organization_id, work, { origin });
  if (!isStored) throw identityErrors.reset_token_invalid();
}

/**
 * Finds the person to whom the token was issued, and the organization whose audit log records the reset. For a
 * placeholder this is the organization that invited it, otherwise the organization that the person used last.
 */
const findHolder = (tokenHash: string): Promise<TokenHolder | null> =>
  firstRow<TokenHolder>(
    `SELECT u.id, coalesce(u.email, u.typed_email) AS email, u.first_name, u.last_name,
            coalesce(u.placeholder_in, (SELECT a.organization_id FROM affiliations a WHERE a.user_id = u.id
              ORDER BY (a.organization_id = u.last_organization_id) IS TRUE DESC, a.created_at, a.organization_id LIMIT 1
            )) AS organization_id
       FROM password_resets r JOIN users u ON u.id = r.user_id
      WHERE r.token_hash = $1 AND r.expires_at > now() AND (u.disabled_at IS NULL OR u.typed_email IS NOT NULL)`,
    [tokenHash],
  );

/**
 * Consumes the token and stores the password.
 * @returns whether the token was still valid
 */
async function consumeAndStore(tokenHash: string, passwordHash: string): Promise<boolean> {
  const deletedReset = await firstRow<{ user_id: string; is_valid: boolean; is_placeholder: boolean }>(
    `DELETE FROM password_resets r USING users u WHERE r.token_hash = $1 AND u.id = r.user_id
     RETURNING r.user_id, r.expires_at > now() AS is_valid, u.placeholder_in IS NOT NULL AS is_placeholder`,
    [tokenHash],
  );
  if (!deletedReset?.is_valid) return false;
  const { user_id: userId } = deletedReset;
  // A placeholder has no account yet: the new password creates it and accepts the placeholder's invitations.
  if (deletedReset.is_placeholder) return identityUpstream().acceptByReset(userId, passwordHash);
  return storeNewPassword(userId, passwordHash);
}
