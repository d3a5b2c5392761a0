import { type Edit, editRow } from '../../database/model/change.js';
import type { PnmProfile } from './PnmProfile.js';

/** Edits the profile of a locked prospective member. @throws Refusal stale_version */
export const editProspect = async (profile: PnmProfile, edit: Edit<PnmProfile>): Promise<void> =>
  void (await editRow(profile, edit));
