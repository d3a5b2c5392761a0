/** People who were named here and have not accepted. */
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { forgetPlaceholder, isPlaceholder } from '../../identity/placeholders.js';
import { aboveOrganizations } from '../above.js';
import { forgetReasons } from '../lifecycle/forgetReasons.js';
import { removeProfile } from '../profiles/removeProfile.js';
import { eraseImportedLines, lockImportedLines } from '../imports/eraseLines.js';
import { forgetAskedPerson } from '../requests/erasure.js';

/**
 * The rows that come to name the accepting account in the place of its placeholder. A test asks Postgres for every column
 * of a tenant's table that references users, and fails on one that is neither here nor in `STAYS` nor names who acted:
 * a placeholder never acts.
 */
export const REPLACED: Readonly<Record<string, string>> = {
  memberships: 'user_id',
  organization_admins: 'user_id',
  regional_admins: 'user_id',
};

/** The others, each with the reason. */
export const STAYS: Readonly<Record<string, string>> = {
  'account_requests.created_user_id': 'Set once somebody has accepted.',
  'account_requests.linked_user_id': 'An address is linked to accounts alone.',
  'bulletins.author_id': 'Whoever writes is signed in.',
  'bulletin_dismissals.user_id': 'Whoever puts one away is signed in.',
  'consent_records.user_id': 'Whoever agrees is signed in.',
  'consent_record_values.user_id': 'Whoever agrees is signed in.',
  'social_posts.author_id': 'Whoever writes is signed in.',
  'invitations.user_id': 'Says whose place was kept; the nameless placeholder stays for the audit log.',
  'audit_log.person_id': 'Entries stay as they are.',
  'audit_values.user_id': 'Handed over by the log, which nobody else writes.',
  'member_demographics.user_id': 'Whoever says it is signed in.',
  'member_profiles.user_id': 'Triggers let it follow the memberships.',
  'roster_names.user_id': 'Triggers let it follow the memberships.',
  'impersonations.user_id': 'A placeholder is disabled, and so nobody whom an admin may be.',
  'notifications.recipient_id': 'Handed over by notifications, which nobody else writes.',
  'notification_deliveries.recipient_id': 'Handed over with them.',
  'mail_messages.recipient_id': 'Handed over with them.',
  'mail_suppressions.user_id': 'Handed over with them.',
  'digest_preferences.user_id': 'Whoever chooses is signed in.',
  'notification_digests.user_id': 'Made for whoever has chosen.',
  'notification_preferences.user_id': 'Whoever chooses is signed in.',
  'notification_mutes.user_id': 'Whoever chooses is signed in.',
};

/**
 * Locks what a placeholder has, and then itself: in the order in which imports and changes of a membership do.
 * @returns the address that was typed; null when there is none any more
 */
export async function lockPlaceholder(userId: string): Promise<string | null> {
  await lockImportedLines(userId, []);
  for (const [table, column] of Object.entries(REPLACED)) {
    await rows(`SELECT FROM ${table} WHERE organization_id = $1 AND ${column} = $2 ORDER BY id FOR NO KEY UPDATE`, [
      currentOrganization(),
      userId,
    ]);
  }
  const locked = await firstRow<{ typed_email: string | null }>(
    'SELECT typed_email FROM users WHERE id = $1 AND placeholder_in = $2 FOR NO KEY UPDATE',
    [userId, currentOrganization()],
  );
  return locked?.typed_email ?? null;
}

/**
 * Erases the address of a placeholder for whom nothing waits here any more, and the name too where no membership that
 * stands, no invoice and no credit has it. What has expired, or was taken back and may be offered again, waits: without
 * the address nobody could be asked again, and the same address would make a second person. An account stays as it is.
 */
export async function forgetUnlessNeeded(userId: string): Promise<void> {
  const { waits, keeps_name } = await oneRow<{ waits: boolean; keeps_name: boolean }>(
    `SELECT app.placeholder_waits($2) AS waits, EXISTS (
       SELECT FROM memberships m WHERE m.organization_id = $1 AND m.user_id = $2 AND (
         m.status <> 'inactive'
         OR EXISTS (SELECT FROM chapter_invoices i WHERE i.organization_id = $1 AND i.membership_id = m.id)
         OR EXISTS (SELECT FROM chapter_account_credits c WHERE c.organization_id = $1 AND c.membership_id = m.id))
     ) AS keeps_name`,
    [currentOrganization(), userId],
  );
  if (waits || !(await isPlaceholder(userId))) return;
  await forgetPlaceholder(userId, keeps_name);
  await forgetAskedPerson(userId, keeps_name);
  if (!keeps_name) await forgetReasons(userId);
  await removeProfile(userId);
  await aboveOrganizations().forgetProspect(userId);
  await eraseImportedLines(await lockImportedLines(userId, []));
}
