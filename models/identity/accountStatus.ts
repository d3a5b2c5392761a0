/** Disables and enables accounts. */
import { audit } from '../database/audit.js';
import { changeRow, now } from '../database/model/change.js';
import { firstRow, rows } from '../database/rows.js';
import { asTenant } from '../database/tenancy.js';
import { defineErrors, refuse } from '../errors.js';
import { identityErrors } from './errors.js';
import { enqueueNotice } from './notices/enqueueNotice.js';
import { revokeOtherSessions } from './revokeSessions.js';
import { recordSecurityEvent } from './securityEvents.js';
import { User } from './User.js';
import { requireAnotherPlatformAdmin } from './platformAdmins.js';

export const accountStatusErrors = defineErrors({
  account_erased: [409, 'This account was deleted and cannot be used again.'],
});

interface AdministeredOrganization {
  id: string;
  name: string;
  slug: string;
}

/**
 * Disables an account, ends all its sessions and notifies the person. Does nothing if it is disabled already.
 * @param leaving the reason why organizations may be left without an admin; with null, the only admin of an
 * organization cannot be disabled
 * @throws Refusal not_found, account_erased; last_admin, which names the organizations
 */
export async function disableAccount(userId: string, by: string, leaving: string | null): Promise<void> {
  // To avoid deadlocks, organizations are always locked before people, here and wherever an admin office ends.
  const administeredAlone = await rows<AdministeredOrganization>('SELECT * FROM app.administered_alone($1)', [userId]);
  await requireAnotherPlatformAdmin(userId);
  if (!(await lockAccount(userId)).active) return;
  if (administeredAlone.length > 0) await leaveWithoutAdmin(administeredAlone, userId, leaving);
  await changeRow(User, userId, { disabled_at: now });
  await revokeOtherSessions(userId, null, 'account_disabled');
  await recordSecurityEvent({ userId, kind: 'account.disabled', details: { by } });
  await enqueueNotice({ userId, kind: 'account_disabled' });
}

/**
 * Lets organizations be left without an admin, and records the reason in their audit logs.
 * @throws Refusal last_admin if no reason is given
 */
async function leaveWithoutAdmin(
  organizations: AdministeredOrganization[],
  userId: string,
  reason: string | null,
): Promise<void> {
  if (reason === null) {
    const names = organizations.map(({ name, slug }) => `${name} (${slug})`);
    throw identityErrors.last_admin(
      `This person is the only admin of ${names.join(', ')}. Appoint another admin first, or give a reason to leave them without one.`,
      { organizations: names },
    );
  }
  for (const { id } of organizations)
    await asTenant(id, () =>
      audit({
        action: 'organization.left_without_admin',
        subjectType: 'user',
        subjectId: userId,
        person: { userId },
        after: { reason },
      }),
    );
  await rows(`SELECT set_config('app.leave_without_admin', 'on', true)`);
}

/**
 * Enables an account. Does nothing if it is enabled already.
 * @throws Refusal not_found, account_erased
 */
export async function enableAccount(userId: string, by: string): Promise<void> {
  if ((await lockAccount(userId)).active) return;
  await changeRow(User, userId, { disabled_at: null });
  await recordSecurityEvent({ userId, kind: 'account.enabled', details: { by } });
  await enqueueNotice({ userId, kind: 'account_enabled' });
}

async function lockAccount(userId: string): Promise<{ active: boolean }> {
  const account = await firstRow<{ active: boolean; erased: boolean }>(
    `SELECT disabled_at IS NULL AS active, EXISTS (SELECT 1 FROM account_deletions d
              WHERE d.user_id = u.id AND d.status IN ('erasing', 'erased')) AS erased
       FROM users u WHERE id = $1 AND placeholder_in IS NULL FOR NO KEY UPDATE`,
    [userId],
  );
  if (!account) throw refuse.not_found();
  if (account.erased) throw accountStatusErrors.account_erased();
  return account;
}
