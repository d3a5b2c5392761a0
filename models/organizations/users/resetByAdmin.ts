/**
 * Lets an admin help members of the organization who cannot sign in. Admins cannot set a password for a member who also
 * belongs to another organization.
 */
import { currentOrganization, firstRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import type { Actor } from '../../identity/Actor.js';
import { identityErrors } from '../../identity/errors.js';
import { lockPerson } from '../../identity/lockPerson.js';
import { enqueueNotice } from '../../identity/notices/enqueueNotice.js';
import { revokeOtherSessions } from '../../identity/revokeSessions.js';
import { recordSecurityEvent } from '../../identity/securityEvents.js';
import { RESET_SECONDS } from '../../identity/password/requestPasswordReset.js';

interface Target {
  is_platform_admin: boolean;
  invited: boolean;
  disabled: boolean;
  elsewhere: boolean;
}

/**
 * Requires a member of the organization; all other people are treated as not found.
 * @throws Refusal not_found, invitation_open, account_protected for a platform admin, account_disabled
 */
async function requireTarget(userId: string): Promise<Target> {
  const target = await firstRow<Target>(
    `SELECT u.is_platform_admin, u.placeholder_in IS NOT NULL AS invited, u.disabled_at IS NOT NULL AS disabled, app.belongs_elsewhere(u.id, $2) AS elsewhere
       FROM users u WHERE u.id = $1
        AND EXISTS (SELECT FROM memberships m WHERE m.organization_id = $2 AND m.user_id = u.id)`,
    [userId, currentOrganization()],
  );
  if (!target) throw refuse.not_found();
  if (target.invited) throw identityErrors.invitation_open();
  if (target.is_platform_admin) throw identityErrors.account_protected();
  if (target.disabled) throw identityErrors.account_disabled();
  return target;
}

/**
 * Mails a link to set a new password to the member's own address. Ends every session of the account in all
 * organizations, because a session in another organization could switch back to this one.
 * @throws Refusal as `requireTarget`
 */
export async function mailPasswordReset(actor: Actor, userId: string): Promise<void> {
  await requireTarget(userId);
  await lockPerson(userId);
  await revokeOtherSessions(userId, null, 'password_reset');
  await recordSecurityEvent({ userId, kind: 'password.reset_mailed' });
  const facts = { administrator: nameOf(actor) };
  await enqueueNotice({ userId, kind: 'password_reset', facts, expiresInSeconds: RESET_SECONDS });
}

/**
 * Requires that an admin may set the member's password. That gives control over the account, so it is allowed only for
 * an account that belongs to no other organization and is not the admin's own.
 * @throws Refusal as `requireTarget`; account_elsewhere, account_own
 */
export async function requireOwnMember(actor: Actor, userId: string): Promise<void> {
  const { elsewhere } = await requireTarget(userId);
  if (userId === actor.userId) throw identityErrors.account_own();
  if (elsewhere && !actor.isPlatformAdmin) throw identityErrors.account_elsewhere();
}

export const nameOf = ({ facts: { user } }: Actor): string => `${user.first_name} ${user.last_name}`;
