/** Withdraws an application: its prospective member leaves the intake, and on request its contents are deleted. */
import { changeRow, editRow, removeRow } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { isPlaceholder } from '../../identity/placeholders.js';
import { deleteNotificationsOf } from '../../notifications/deleteNotificationsOf.js';
import { erasePlaceholderUnlessNeeded } from '../../organizations/invitations/placeholders.js';
import { deleteProspect } from '../pnm/deleteProspect.js';
import { lockProspect, moveProspect } from '../pnm/moveProspect.js';
import { hasLeftIntake } from '../pnm/stages.js';
import { ApplicationVersion } from './ApplicationVersion.js';
import { PnmApplication } from './PnmApplication.js';
import { notifyOfApplication } from './notifyOfApplication.js';

/**
 * Withdraws a version. A repeated call changes nothing.
 * @param application the locked application
 * @param version the locked version, which is current or pending
 * @param erase also deletes the contents, and the person if no other data refers to them
 */
export async function withdrawVersion(
  application: PnmApplication,
  version: ApplicationVersion,
  { erase }: { erase: boolean },
): Promise<void> {
  const { id, state, confirm_hash } = version;
  if (state === 'pending' && erase) return void (await removeRow(ApplicationVersion, id));
  if (confirm_hash !== null) await changeRow(ApplicationVersion, id, { confirm_hash: null });
  if (state === 'pending') return;
  const counts = application.state === 'received';
  const stays = application.profile_id !== null && !(await withdrawProspect(application.profile_id, counts));
  if (counts) {
    await editRow(application, { state: 'withdrawn' });
    if (!erase && !stays) await notifyOfApplication('application_withdrawn', application, id);
  }
  if (!erase) return;
  if (!stays) return eraseApplication(application);
  await rows('DELETE FROM pnm_drafts WHERE organization_id = $1 AND version_id = $2', [currentOrganization(), id]);
}

/**
 * Withdraws the prospective member, unless the person has already become a member. The response to an unconfirmed link
 * does not disclose whether the person is a member.
 * @returns whether the person has left the intake
 */
async function withdrawProspect(profileId: string, counts: boolean): Promise<boolean> {
  const prospect = await lockProspect(profileId);
  const { stage, closed_from } = prospect.profile;
  if (stage === 'completed') return false;
  if (!counts) return true;
  // If the period is reopened later, the person must not return to their earlier stage, because they have withdrawn.
  if (closed_from !== null) await editRow(prospect.profile, { closed_from: null });
  if (!hasLeftIntake(stage))
    await moveProspect(prospect, { to: 'withdrawn', reason: 'Withdrawn by the applicant.' }, 'officer');
  return true;
}

async function eraseApplication({ id, profile_id }: PnmApplication): Promise<void> {
  if (profile_id === null) {
    await deleteNotificationsOf([id]);
    return void (await removeRow(PnmApplication, id));
  }
  const { membership } = await lockProspect(profile_id);
  // Deleting the profile deletes the application.
  await deleteProspect(membership.user_id);
  if (await isPlaceholder(membership.user_id)) await erasePlaceholderUnlessNeeded(membership.user_id);
}
