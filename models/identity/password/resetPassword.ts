/** A new password for whoever holds the token of their mail. */
import type { Origin } from '../../database/connection.js';
import { firstRow } from '../../database/rows.js';
import { inPlatform, inTenantIfAny } from '../../database/tenancy.js';
import { aboveIdentity } from '../above.js';
import { identityErrors } from '../errors.js';
import { inHashSlot } from '../hashSlots.js';
import { hashPassword } from './passwordHash.js';
import { type PasswordOwner, requireGoodPassword } from './passwordRules.js';
import { hashToken } from '../secretTokens.js';
import { keepNewPassword } from './keepNewPassword.js';

type Holder = PasswordOwner & { id: string; organization_id: string | null };

/**
 * Ends every session of the account (spec: Credential transport, 5). The token is looked at first, so that a password
 * that is too weak does not use it up; it is deleted before anything is changed, and only who deletes it goes on.
 * Opens its own transactions, since no connection may be held while a hash is made.
 * @throws Refusal reset_token_invalid; validation_error naming new_password
 */
export async function resetPassword(token: string, newPassword: string, origin: Origin): Promise<void> {
  const tokenHash = hashToken(token);
  const holder = await inPlatform(() => holderOf(tokenHash), { readOnly: true });
  if (!holder) throw identityErrors.reset_token_invalid();
  await requireGoodPassword(newPassword, holder, 'new_password');
  const passwordHash = await inHashSlot(() => hashPassword(newPassword));
  const work = () => store(tokenHash, passwordHash);
  const done = await inTenantIfAny(holder.organization_id, work, { origin });
  if (!done) throw identityErrors.reset_token_invalid();
}

/** Whose token it is, and the organization whose audit log tells of it: the one that they acted in last. */
const holderOf = (tokenHash: string): Promise<Holder | null> =>
  firstRow<Holder>(
    `SELECT u.id, coalesce(u.email, u.typed_email) AS email, u.first_name, u.last_name,
            coalesce(u.placeholder_in, (SELECT a.organization_id FROM affiliations a WHERE a.user_id = u.id
              ORDER BY (a.organization_id = u.last_organization_id) IS TRUE DESC, a.created_at, a.organization_id LIMIT 1
            )) AS organization_id
       FROM password_resets r JOIN users u ON u.id = r.user_id
      WHERE r.token_hash = $1 AND r.expires_at > now() AND (u.disabled_at IS NULL OR u.typed_email IS NOT NULL)`,
    [tokenHash],
  );

/** @returns whether the token still was one; it is gone either way */
async function store(tokenHash: string, passwordHash: string): Promise<boolean> {
  const taken = await firstRow<{ user_id: string; holds: boolean; is_placeholder: boolean }>(
    `DELETE FROM password_resets r USING users u WHERE r.token_hash = $1 AND u.id = r.user_id
     RETURNING r.user_id, r.expires_at > now() AS holds, u.placeholder_in IS NOT NULL AS is_placeholder`,
    [tokenHash],
  );
  if (!taken?.holds) return false;
  const { user_id: userId } = taken;
  // Somebody who has no account yet, only invitations: this is how they are accepted too.
  if (taken.is_placeholder) return aboveIdentity().acceptByReset(userId, passwordHash);
  return keepNewPassword(userId, passwordHash);
}
