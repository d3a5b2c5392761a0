/** Erases a person's data in an organization. */
import { currentOrganization, rows } from '../database/rows.js';
import { deleteNotificationsOf } from '../notifications/deleteNotificationsOf.js';
import type { Erasure } from '../identity/deletion/erasure.js';
import { changeOrganizationAdmin } from './admins.js';
import { changeMembership, lockForStatus } from './changeMembership.js';
import { eraseReasons } from './lifecycle/eraseReasons.js';
import { cancelChangesOf } from './lifecycle/cancelChanges.js';
import { declineForAddresses } from './invitations/declineInvitation.js';
import { changeRegionalAdmin } from './regionalAdmins.js';
import { removeDocumentsOf } from './files/storedFiles.js';
import { removeTypedNames } from './consents/removeTypedNames.js';
import { removeProfile } from './profiles/removeProfile.js';
import { removeHandle } from './member-handles/memberHandles.js';
import { eraseImportedLines, lockImportedLines } from './imports/eraseLines.js';
import { eraseRequests } from './requests/erasure.js';

/**
 * Declines open invitations to the person's addresses, and ends memberships and offices.
 * @throws Refusal last_admin when the organization would be left without an active admin
 */
async function eraseInOrganization(userId: string, verifiedAddresses: string[]): Promise<{ changed: number }> {
  // Lock in the same order as an import and an acceptance: import rows, pending changes, then the account.
  const lines = await lockImportedLines(userId, verifiedAddresses);
  await declineForAddresses(verifiedAddresses);
  for (const id of await idsOf('memberships', 'true', userId)) await cancelChangesOf(id);
  const memberships = await idsOf('memberships', "status <> 'inactive'", userId);
  for (const id of memberships)
    await changeMembership(
      await lockForStatus(id),
      { status: 'inactive' },
      { authority: null, source: 'account_deleted' },
    );
  const offices = await idsOf('organization_admins', 'is_active', userId);
  for (const id of offices) await changeOrganizationAdmin(id, { is_active: false });
  const regionalOffices = await idsOf('regional_admins', 'is_active', userId);
  for (const id of regionalOffices) await changeRegionalAdmin(id, { is_active: false });
  const reasons = await eraseReasons(userId);
  const requests = await eraseRequests(userId, verifiedAddresses);
  const imported = await eraseImportedLines(lines);
  const contacts = await removeContacts(verifiedAddresses);
  const documents = await removeDocumentsOf(userId);
  const profiles = await removeProfile(userId);
  const handles = await removeHandle(userId);
  await deleteNotificationsOf(await subjectsOf(userId));
  const names = await removeTypedNames(userId);
  await rows('DELETE FROM bulletin_dismissals WHERE organization_id = $1 AND user_id = $2', [
    currentOrganization(),
    userId,
  ]);
  return {
    changed:
      memberships.length +
      offices.length +
      regionalOffices.length +
      reasons +
      requests +
      imported +
      contacts +
      documents +
      profiles +
      handles +
      names,
  };
}

/**
 * Returns the ids of the person's memberships, terms and scheduled changes. Other people may have received
 * notifications about these rows that name the person.
 */
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

/**
 * Deletes advisor rows that contain one of the person's verified addresses. A chapter names its advisors by address.
 */
const removeContacts = async (verifiedAddresses: string[]): Promise<number> =>
  (
    await rows('DELETE FROM chapter_advisors WHERE organization_id = $1 AND email = ANY ($2) RETURNING id', [
      currentOrganization(),
      verifiedAddresses,
    ])
  ).length;

async function idsOf(table: string, condition: string, userId: string): Promise<string[]> {
  const idRows = await rows<{ id: string }>(
    `SELECT id FROM ${table} WHERE organization_id = $1 AND user_id = $2 AND ${condition} ORDER BY id`,
    [currentOrganization(), userId],
  );
  return idRows.map(({ id }) => id);
}

const LOG = 'The organization keeps who did what to whom, by id.';
const VALUES = 'Deleted in each organization; the log entries stay.';
const INVITATION = 'The organization keeps who invited whom, by id.';

const NAMES = 'Deleted in each organization; the consent record stays.';
const CONTACT = 'Belongs to an advisor without an account; rows with an address of the person are deleted.';
const PROFILE = 'Deleted in each organization.';
const REQUEST = 'The organization keeps who requested and who decided, by id.';

export const organizationsErasure: Erasure = {
  erasedColumns: {
    account_requests: ['email', 'first_name', 'last_name', 'phone_number', 'justification'],
    member_add_requests: ['email', 'first_name', 'last_name', 'justification'],
    bulk_import_rows: ['email'],
  },
  retainedColumns: {
    'affiliations.user_id': 'Maintained by triggers from memberships and offices, which have ended.',
    'memberships.user_id': 'Inactive; invoices and the ledger refer to it.',
    'membership_periods.membership_id': 'History of a membership, which stays; the reasons for changes are erased.',
    'membership_scheduled_changes.membership_id': 'Decision about a membership, which stays.',
    'membership_scheduled_changes.requested_by': 'Who requested the change, by id.',
    'membership_scheduled_changes.cancelled_by': 'Who cancelled the change, by id.',
    'membership_periods.actor_user_id': 'History: who changed a membership, by id.',
    'roster_names.id': 'Belongs to a membership, which stays.',
    'roster_names.user_id': 'Maintained by triggers from memberships; holds the erased person’s remaining name.',
    'organization_admins.user_id': 'Inactive; records who was responsible.',
    'regional_admins.user_id': 'Inactive; records who was responsible.',
    'member_profiles.user_id': PROFILE,
    'member_demographics.user_id': PROFILE,
    'member_handles.user_id': PROFILE,
    'member_profiles.preferred_name': PROFILE,
    'member_profiles.date_of_birth': PROFILE,
    'member_profiles.permanent_address_line1': PROFILE,
    'member_profiles.permanent_address_line2': PROFILE,
    'member_profiles.postal_code': PROFILE,
    'onboarding_items.membership_id': 'Belongs to a membership, which stays; holds no personal data.',
    'audit_log.actor_user_id': LOG,
    'audit_log.person_id': LOG,
    'audit_log.ip_address': 'Only set in entries that name no person.',
    'audit_values.user_id': VALUES,
    'audit_values.ip_address': VALUES,
    'consent_versions.published_by': 'The organization keeps the texts that it published, and the publisher by id.',
    'consent_records.user_id': 'The organization keeps who agreed to what, and when, by id.',
    'consent_record_values.user_id': NAMES,
    'consent_record_values.typed_name': NAMES,
    'consent_record_values.ip_address': NAMES,
    'bulletins.author_id': 'The organization keeps its announcements, and the author by id.',
    'bulletins.decided_by': 'The organization keeps its announcements, and the publisher by id.',
    'bulletin_dismissals.user_id': 'Deleted: a dismissal concerns only the person.',
    'social_posts.author_id': 'The organization keeps its posts, and the author by id.',
    'storage_migrations.requested_by': 'The platform keeps who requested the migration, by id.',
    'storage_provisionings.requested_by': 'The platform keeps who requested the bucket, by id.',
    'stored_files.uploaded_by':
      'The person’s own documents are deleted; the organization keeps who uploaded a list, by id.',
    'invitations.user_id': INVITATION,
    'invitations.invited_by': INVITATION,
    'invitations.membership_id': INVITATION,
    'chapter_advisors.email': CONTACT,
    'chapter_advisors.phone_number': CONTACT,
    'account_requests.reviewed_by': REQUEST,
    'account_requests.created_user_id': REQUEST,
    'account_requests.created_membership_id': REQUEST,
    'account_requests.linked_user_id': REQUEST,
    'account_requests.linked_email_id': 'Deleted with the address that it refers to.',
    'status_change_requests.requested_by': REQUEST,
    'status_change_requests.first_reviewed_by': REQUEST,
    'status_change_requests.reviewed_by': REQUEST,
    'status_change_requests.membership_id': REQUEST,
    'roster_exports.requested_by': 'Who exported a roster, by id; the file is deleted within days.',
    'bulk_imports.started_by': 'Who started the import, by id.',
    'bulk_imports.undone_by': 'Who undid the import, by id.',
    'bulk_import_rows.membership_id': 'What the import did to a membership, which stays, by id.',
    'rollovers.started_by': 'Who started the rollover, by id.',
    'rollovers.reverted_by': 'Who reverted the rollover, by id.',
    'rollover_lines.membership_id': 'What the rollover did to a membership, which stays, by id.',
    'transfer_requests.requested_by': REQUEST,
    'transfer_requests.first_reviewed_by': REQUEST,
    'transfer_requests.reviewed_by': REQUEST,
    'transfer_requests.membership_id': REQUEST,
    'transfer_requests.new_membership_id': REQUEST,
    'hand_over_requests.requested_by': REQUEST,
    'hand_over_requests.reviewed_by': REQUEST,
    'hand_over_requests.successor_id': REQUEST,
    'planned_terms.membership_id': 'Cancelled; records who was to lead a chapter, by id.',
    'planned_terms.requested_by': 'Who planned the term, by id.',
    'planned_terms.cancelled_by': 'Who cancelled the term, by id.',
    'officer_terms.membership_id': 'Ended; records who led a chapter, and when, by id.',
    'member_add_requests.requested_by': REQUEST,
    'member_add_requests.first_reviewed_by': REQUEST,
    'member_add_requests.reviewed_by': REQUEST,
    'member_add_requests.membership_id': REQUEST,
  },
  inOrganization: eraseInOrganization,
};
