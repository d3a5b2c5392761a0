/** Accounts that nobody may use for a while. */
import { audit } from '../database/audit.js';
import { changeRow, now } from '../database/model/change.js';
import { firstRow, rows } from '../database/rows.js';
import { asTenant } from '../database/tenancy.js';
import { defineErrors, refuse } from '../errors.js';
import { identityErrors } from './errors.js';
import { noticePerson } from './notices/noticePerson.js';
import { revokeOtherSessions } from './revokeSessions.js';
import { recordSecurityEvent } from './securityEvents.js';
import { User } from './User.js';
import { requireAnotherPlatformAdmin } from './platformAdmins.js';

export const standingErrors = defineErrors({
  account_erased: [409, 'This account was deleted and cannot be used again.'],
});

interface Left {
  id: string;
  name: string;
  slug: string;
}

/**
 * Ends all sessions, and tells the person. Again changes nothing.
 * @param leaving why organizations that nobody else administers are left without an admin; null: they are not
 * @throws Refusal not_found, account_erased; last_admin, which names those organizations
 */
export async function disableAccount(userId: string, by: string, leaving: string | null): Promise<void> {
  // Organizations are locked before people, as by whoever ends an office.
  const alone = await rows<Left>('SELECT * FROM app.administered_alone($1)', [userId]);
  await requireAnotherPlatformAdmin(userId);
  if (!(await lock(userId)).active) return;
  if (alone.length > 0) await leave(alone, userId, leaving);
  await changeRow(User, userId, { disabled_at: now });
  await revokeOtherSessions(userId, null, 'account_disabled');
  await recordSecurityEvent({ userId, kind: 'account.disabled', details: { by } });
  await noticePerson({ userId, kind: 'account_disabled' });
}

/** Each organization's log says that it is without an admin, and why. @throws Refusal last_admin */
async function leave(organizations: Left[], userId: string, reason: string | null): Promise<void> {
  if (reason === null) {
    const names = organizations.map(({ name, slug }) => `${name} (${slug})`);
    throw identityErrors.last_admin(`Nobody else administers ${names.join(', ')}.`, { organizations: names });
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

/** Again changes nothing. @throws Refusal not_found, account_erased */
export async function enableAccount(userId: string, by: string): Promise<void> {
  if ((await lock(userId)).active) return;
  await changeRow(User, userId, { disabled_at: null });
  await recordSecurityEvent({ userId, kind: 'account.enabled', details: { by } });
  await noticePerson({ userId, kind: 'account_enabled' });
}

async function lock(userId: string): Promise<{ active: boolean }> {
  const found = await firstRow<{ active: boolean; erased: boolean }>(
    `SELECT disabled_at IS NULL AS active, EXISTS (SELECT 1 FROM account_deletions d
              WHERE d.user_id = u.id AND d.status IN ('erasing', 'erased')) AS erased
       FROM users u WHERE id = $1 AND placeholder_in IS NULL FOR NO KEY UPDATE`,
    [userId],
  );
  if (!found) throw refuse.not_found();
  if (found.erased) throw standingErrors.account_erased();
  return found;
}
