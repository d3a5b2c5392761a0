/**
 * Placeholders stand for people who were named in the organization by an address and have not accepted an invitation
 * yet.
 */
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { erasePlaceholder, isPlaceholder } from '../../identity/placeholders.js';
import { organizationsUpstream } from '../upstream.js';
import { eraseReasons } from '../lifecycle/eraseReasons.js';
import { removeProfile } from '../profiles/removeProfile.js';
import { eraseImportedLines, lockImportedLines } from '../imports/eraseLines.js';
import { eraseRequestedPerson } from '../requests/erasure.js';

/**
 * Columns in which the account of the person who accepts replaces the placeholder. A test lists all columns of tenant
 * tables that refer to users, and fails if one is neither here nor in `UNCHANGED_COLUMNS`. Columns that name an actor
 * are exempt, because a placeholder never acts.
 */
export const REPLACED_COLUMNS: Readonly<Record<string, string>> = {
  memberships: 'user_id',
  organization_admins: 'user_id',
  regional_admins: 'user_id',
};

/** Columns in which an accepting account does not replace its placeholder, each with the reason. */
export const UNCHANGED_COLUMNS: Readonly<Record<string, string>> = {
  'account_requests.created_user_id': 'Set only after the acceptance.',
  'account_requests.linked_user_id': 'Addresses are only linked to accounts.',
  'bulletins.author_id': 'The author is signed in.',
  'bulletin_dismissals.user_id': 'The person who dismisses it is signed in.',
  'consent_records.user_id': 'The person who agrees is signed in.',
  'consent_record_values.user_id': 'The person who agrees is signed in.',
  'social_posts.author_id': 'The author is signed in.',
  'invitations.user_id': 'Refers to the placeholder, which stays without a name for the audit log.',
  'audit_log.person_id': 'Entries stay as they are.',
  'audit_values.user_id': 'The audit log replaces it itself (`handOverInLog`).',
  'member_demographics.user_id': 'The person who enters it is signed in.',
  'foundation_bulletin_recipients.user_id': 'A placeholder has no address, and gets no bulletin.',
  'donors.user_id': 'Donors are only linked to accounts with a verified address.',
  'forum_memberships.user_id': 'A placeholder may not sign in, and is invited to no forum.',
  'forum_reads.user_id': 'The person who reads is signed in.',
  'forum_posts.author_id': 'The author is signed in.',
  'forum_comments.author_id': 'The author is signed in.',
  'forum_cases.author_id': 'The author is signed in.',
  'forum_flags.user_id': 'The person who flags is signed in.',
  'foundation_admins.user_id': 'A placeholder may not sign in, and gets no role in the foundation.',
  'member_profiles.user_id': 'Triggers copy it from the memberships.',
  'roster_names.user_id': 'Triggers copy it from the memberships.',
  'member_handles.user_id': 'A placeholder has no affiliation, and therefore no handle.',
  'impersonations.user_id': 'A placeholder is disabled and cannot be impersonated.',
  'notifications.recipient_id': 'The notifications area replaces it itself (`handOverNotifications`).',
  'notification_deliveries.recipient_id': 'Replaced with the notifications.',
  'mail_messages.recipient_id': 'Replaced with the notifications.',
  'mail_suppressions.user_id': 'Replaced with the notifications.',
  'digest_preferences.user_id': 'The person who chooses is signed in.',
  'notification_digests.user_id': 'Created only for people who chose a digest.',
  'notification_preferences.user_id': 'The person who chooses is signed in.',
  'notification_mutes.user_id': 'The person who chooses is signed in.',
  'forum_subscriptions.user_id': 'Members of forums have accepted.',
};

/**
 * Locks the rows that refer to a placeholder and then the placeholder itself, in the order that imports and changes of
 * memberships use.
 * @returns the address that was typed for the placeholder; null if the placeholder, or its address, no longer exists
 */
export async function lockPlaceholder(userId: string): Promise<string | null> {
  await lockImportedLines(userId, []);
  for (const [table, column] of Object.entries(REPLACED_COLUMNS)) {
    await rows(`SELECT FROM ${table} WHERE organization_id = $1 AND ${column} = $2 ORDER BY id FOR NO KEY UPDATE`, [
      currentOrganization(),
      userId,
    ]);
  }
  const placeholder = await firstRow<{ typed_email: string | null }>(
    'SELECT typed_email FROM users WHERE id = $1 AND placeholder_in = $2 FOR NO KEY UPDATE',
    [userId, currentOrganization()],
  );
  return placeholder?.typed_email ?? null;
}

/**
 * Erases a placeholder's address once nothing in the organization needs it. The name is erased as well, unless an
 * active membership, an invoice or a credit needs it. An expired or withdrawn invitation can be renewed and still needs
 * the address: without it, the person could not be invited again, and the next use of the address would create a second
 * placeholder. Accounts are left unchanged.
 */
export async function erasePlaceholderUnlessNeeded(userId: string): Promise<void> {
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
  await erasePlaceholder(userId, keeps_name);
  await eraseRequestedPerson(userId, keeps_name);
  if (!keeps_name) await eraseReasons(userId);
  await removeProfile(userId);
  await organizationsUpstream().forgetProspect(userId);
  await eraseImportedLines(await lockImportedLines(userId, []));
}
