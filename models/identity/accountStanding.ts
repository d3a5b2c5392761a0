/** Accounts that nobody may use for a while. */
import { changeRow, now } from '../database/model/change.js';
import { firstRow } from '../database/rows.js';
import { defineErrors, refuse } from '../errors.js';
import { noticePerson } from './notices/noticePerson.js';
import { revokeOtherSessions } from './revokeSessions.js';
import { recordSecurityEvent } from './securityEvents.js';
import { User } from './User.js';
import { requireAnotherPlatformAdmin } from './platformAdmins.js';

export const standingErrors = defineErrors({
  account_erased: [409, 'This account was deleted and cannot be used again.'],
});

/** Ends all sessions, and tells the person. Again changes nothing. @throws Refusal not_found, last_admin, account_erased */
export async function disableAccount(userId: string, by: string): Promise<void> {
  await requireAnotherPlatformAdmin(userId);
  if (!(await lock(userId)).active) return;
  await changeRow(User, userId, { disabled_at: now });
  await revokeOtherSessions(userId, null, 'account_disabled');
  await recordSecurityEvent({ userId, kind: 'account.disabled', details: { by } });
  await noticePerson({ userId, kind: 'account_disabled' });
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
