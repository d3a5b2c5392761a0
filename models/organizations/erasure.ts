/** What a person leaves behind in an organization. */
import { currentOrganization, rows } from '../database/rows.js';
import { forgetSubjects } from '../notifications/forgetSubjects.js';
import type { Erasure } from '../identity/deletion/erasure.js';
import { changeOrganizationAdmin } from './admins.js';
import { changeMembership, lockForStatus } from './changeMembership.js';
import { forgetReasons } from './lifecycle/forgetReasons.js';
import { cancelChangesOf } from './lifecycle/cancelChanges.js';
import { declineForAddresses } from './invitations/declineInvitation.js';
import { changeRegionalAdmin } from './regionalAdmins.js';
import { removeDocumentsOf } from './files/storedFiles.js';
import { removeTypedNames } from './consents/removeTypedNames.js';
import { removeProfile } from './profiles/removeProfile.js';
import { eraseImportedLines, lockImportedLines } from './imports/eraseLines.js';
import { eraseRequests } from './requests/erasure.js';

/**
 * Declines what the person's addresses are asked, and ends memberships and offices.
 * @throws Refusal last_admin when the organization would be left without one
 */
async function leave(userId: string, provenAddresses: string[]): Promise<{ changed: number }> {
  // First, in the order of an import and of whoever accepts: lines, what waits, then the account. Says nothing of whose account it is.
  const lines = await lockImportedLines(userId, provenAddresses);
  await declineForAddresses(provenAddresses);
  for (const id of await idsOf('memberships', 'true', userId)) await cancelChangesOf(id);
  const memberships = await idsOf('memberships', "status <> 'inactive'", userId);
  for (const id of memberships)
    await changeMembership(await lockForStatus(id), { status: 'inactive' }, { hand: null, source: 'account_deleted' });
  const offices = await idsOf('organization_admins', 'is_active', userId);
  for (const id of offices) await changeOrganizationAdmin(id, { is_active: false });
  const regions = await idsOf('regional_admins', 'is_active', userId);
  for (const id of regions) await changeRegionalAdmin(id, { is_active: false });
  const reasons = await forgetReasons(userId);
  const requests = await eraseRequests(userId, provenAddresses);
  const imported = await eraseImportedLines(lines);
  const contacts = await removeContacts(provenAddresses);
  const documents = await removeDocumentsOf(userId);
  const profiles = await removeProfile(userId);
  await forgetSubjects(await subjectsOf(userId));
  const names = await removeTypedNames(userId);
  await rows('DELETE FROM bulletin_dismissals WHERE organization_id = $1 AND user_id = $2', [
    currentOrganization(),
    userId,
  ]);
  return {
    changed:
      memberships.length +
      offices.length +
      regions.length +
      reasons +
      requests +
      imported +
      contacts +
      documents +
      profiles +
      names,
  };
}

/** What others may have been told of in words that name the person. */
const subjectsOf = async (userId: string): Promise<string[]> =>
  (
    await rows<{ id: string }>(
      `WITH own AS (SELECT id FROM memberships WHERE organization_id = $1 AND user_id = $2)
       SELECT id FROM own
       UNION ALL SELECT id FROM officer_terms WHERE organization_id = $1 AND membership_id IN (SELECT id FROM own)
       UNION ALL SELECT id FROM planned_terms WHERE organization_id = $1 AND membership_id IN (SELECT id FROM own)
       UNION ALL SELECT id FROM membership_scheduled_changes
         WHERE organization_id = $1 AND membership_id IN (SELECT id FROM own)`,
      [currentOrganization(), userId],
    )
  ).map(({ id }) => id);

/** Chapters name advisors by an address: whoever has proven it is that person. */
const removeContacts = async (provenAddresses: string[]): Promise<number> =>
  (
    await rows('DELETE FROM chapter_advisors WHERE organization_id = $1 AND email = ANY ($2) RETURNING id', [
      currentOrganization(),
      provenAddresses,
    ])
  ).length;

async function idsOf(table: string, condition: string, userId: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    `SELECT id FROM ${table} WHERE organization_id = $1 AND user_id = $2 AND ${condition} ORDER BY id`,
    [currentOrganization(), userId],
  );
  return found.map(({ id }) => id);
}

const LOG = 'Who did what to whom is an organization’s to keep, by id.';
const GONE = 'Deleted in each organization; the entries stay.';
const INVITATION = 'Who asked whom is an organization’s to keep, by id.';

const NAMES = 'Deleted in each organization; the record that it stood beside stays.';
const CONTACT = 'Of somebody who needs no account; rows with an address of the person are deleted.';
const PROFILE = 'Deleted in each organization.';
const REQUEST = 'Who asked and who decided is an organization’s to keep, by id.';

export const organizationsErasure: Erasure = {
  emptied: {
    account_requests: ['email', 'first_name', 'last_name', 'phone_number', 'justification'],
    member_add_requests: ['email', 'first_name', 'last_name', 'justification'],
    bulk_import_rows: ['email'],
  },
  kept: {
    'affiliations.user_id': 'Kept by triggers from memberships and offices, which have ended.',
    'memberships.user_id': 'Inactive; invoices and the ledger hang on them.',
    'membership_periods.membership_id': 'History of a membership, which stays; why it changed is forgotten.',
    'membership_scheduled_changes.membership_id': 'What was decided of a membership, which stays.',
    'membership_scheduled_changes.requested_by': 'What was decided, by id.',
    'membership_scheduled_changes.cancelled_by': 'What was decided, by id.',
    'membership_periods.actor_user_id': 'History: who changed a membership, by id.',
    'roster_names.id': 'Of a membership, which stays.',
    'roster_names.user_id': 'Kept by triggers from memberships, under the name that is left.',
    'organization_admins.user_id': 'Inactive; says who was responsible.',
    'regional_admins.user_id': 'Inactive; says who was responsible.',
    'member_profiles.user_id': PROFILE,
    'member_demographics.user_id': PROFILE,
    'member_profiles.preferred_name': PROFILE,
    'member_profiles.date_of_birth': PROFILE,
    'member_profiles.permanent_address_line1': PROFILE,
    'member_profiles.permanent_address_line2': PROFILE,
    'member_profiles.postal_code': PROFILE,
    'onboarding_items.membership_id': 'Of a membership, which stays; says nothing of anybody.',
    'audit_log.actor_user_id': LOG,
    'audit_log.person_id': LOG,
    'audit_log.ip_address': 'Of entries that name nobody.',
    'audit_values.user_id': GONE,
    'audit_values.ip_address': GONE,
    'consent_versions.published_by': 'What an organization asked is its own to keep; who published it, by id.',
    'consent_records.user_id': 'Who agreed to what, and when, is an organization’s to keep, by id.',
    'consent_record_values.user_id': NAMES,
    'consent_record_values.typed_name': NAMES,
    'consent_record_values.ip_address': NAMES,
    'bulletins.author_id': 'What an organization announced is its own to keep; who wrote it, by id.',
    'bulletins.decided_by': 'What an organization announced is its own to keep; who had it go out, by id.',
    'bulletin_dismissals.user_id': 'Deleted: what somebody put away was for them alone.',
    'social_posts.author_id': 'What an organization said is its own to keep; who wrote it, by id.',
    'storage_migrations.requested_by': 'Who had files moved is for the platform to keep, by id.',
    'storage_provisionings.requested_by': 'Who had a store made is for the platform to keep, by id.',
    'stored_files.uploaded_by': 'Documents of their own go; who brought a list is an organization’s to keep, by id.',
    'invitations.user_id': INVITATION,
    'invitations.invited_by': INVITATION,
    'invitations.membership_id': INVITATION,
    'chapter_advisors.email': CONTACT,
    'chapter_advisors.phone_number': CONTACT,
    'account_requests.reviewed_by': REQUEST,
    'account_requests.created_user_id': REQUEST,
    'account_requests.created_membership_id': REQUEST,
    'account_requests.linked_user_id': REQUEST,
    'account_requests.linked_email_id': 'Goes with the address that it names.',
    'status_change_requests.requested_by': REQUEST,
    'status_change_requests.first_reviewed_by': REQUEST,
    'status_change_requests.reviewed_by': REQUEST,
    'status_change_requests.membership_id': REQUEST,
    'roster_exports.requested_by': 'Who took a roster along, by id; the file goes within days.',
    'bulk_imports.started_by': 'What was decided, by id.',
    'bulk_imports.undone_by': 'What was decided, by id.',
    'bulk_import_rows.membership_id': 'What became of a membership, which stays, by id.',
    'rollovers.started_by': 'What was decided, by id.',
    'rollovers.reverted_by': 'What was decided, by id.',
    'rollover_lines.membership_id': 'What became of a membership, which stays, by id.',
    'transfer_requests.requested_by': REQUEST,
    'transfer_requests.first_reviewed_by': REQUEST,
    'transfer_requests.reviewed_by': REQUEST,
    'transfer_requests.membership_id': REQUEST,
    'transfer_requests.new_membership_id': REQUEST,
    'hand_over_requests.requested_by': REQUEST,
    'hand_over_requests.reviewed_by': REQUEST,
    'hand_over_requests.successor_id': REQUEST,
    'planned_terms.membership_id': 'Cancelled; says who was to lead a chapter, by id.',
    'planned_terms.requested_by': 'What was decided, by id.',
    'planned_terms.cancelled_by': 'What was decided, by id.',
    'officer_terms.membership_id': 'Ended; says who led a chapter, and when, by id.',
    'member_add_requests.requested_by': REQUEST,
    'member_add_requests.first_reviewed_by': REQUEST,
    'member_add_requests.reviewed_by': REQUEST,
    'member_add_requests.membership_id': REQUEST,
  },
  inOrganization: leave,
};
