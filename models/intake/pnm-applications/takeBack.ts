/** An application is taken back: whoever came of it leaves, and with it goes what was typed where that is wanted. */
import { changeRow, editRow, removeRow } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { isPlaceholder } from '../../identity/placeholders.js';
import { forgetSubjects } from '../../notifications/forgetSubjects.js';
import { forgetUnlessNeeded } from '../../organizations/invitations/placeholders.js';
import { forgetProspect } from '../pnm/forgetProspect.js';
import { lockProspect, moveProspect } from '../pnm/moveProspect.js';
import { isOut } from '../pnm/stages.js';
import { ApplicationVersion } from './ApplicationVersion.js';
import { PnmApplication } from './PnmApplication.js';
import { tellOfApplication } from './tellOfApplication.js';

/**
 * Again changes nothing.
 * @param application locked, as is `version`, which counts or waits
 * @param erase what was typed goes, too, and the person where nothing else here is about them
 */
export async function takeBack(
  application: PnmApplication,
  version: ApplicationVersion,
  { erase }: { erase: boolean },
): Promise<void> {
  const { id, state, confirm_hash } = version;
  if (state === 'pending' && erase) return void (await removeRow(ApplicationVersion, id));
  if (confirm_hash !== null) await changeRow(ApplicationVersion, id, { confirm_hash: null });
  if (state === 'pending') return;
  const counts = application.state === 'received';
  const stays = application.profile_id !== null && !(await leave(application.profile_id, counts));
  if (counts) {
    await editRow(application, { state: 'withdrawn' });
    if (!erase && !stays) await tellOfApplication('application_withdrawn', application, id);
  }
  if (!erase) return;
  if (!stays) return eraseApplication(application);
  await rows('DELETE FROM pnm_drafts WHERE organization_id = $1 AND version_id = $2', [currentOrganization(), id]);
}

/**
 * Who has become a member stays one. Whose link has proven no mailbox is not told so: it ends as any other does.
 * @returns whether they have left
 */
async function leave(profileId: string, counts: boolean): Promise<boolean> {
  const prospect = await lockProspect(profileId);
  const { stage, closed_from } = prospect.profile;
  if (stage === 'completed') return false;
  if (!counts) return true;
  // Opening the period again brings nobody back who has left.
  if (closed_from !== null) await editRow(prospect.profile, { closed_from: null });
  if (!isOut(stage))
    await moveProspect(prospect, { to: 'withdrawn', reason: 'Withdrawn by the applicant.' }, 'officer');
  return true;
}

async function eraseApplication({ id, profile_id }: PnmApplication): Promise<void> {
  if (profile_id === null) {
    await forgetSubjects([id]);
    return void (await removeRow(PnmApplication, id));
  }
  const { membership } = await lockProspect(profile_id);
  // The application goes with the profile.
  await forgetProspect(membership.user_id);
  if (await isPlaceholder(membership.user_id)) await forgetUnlessNeeded(membership.user_id);
}
