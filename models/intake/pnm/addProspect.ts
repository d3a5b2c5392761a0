import { type Edit, editRow, lockRow } from '../../database/model/change.js';
import { addMember, type NewMember } from '../../organizations/addMember.js';
import { PnmProfile } from './PnmProfile.js';

type Named = Pick<NewMember, 'email' | 'first_name' | 'last_name'>;

/**
 * Adds a prospective member by hand, by the rules of addresses: whoever is not known here is invited. The trigger of
 * memberships makes the profile.
 * @returns the profile's id
 * @throws Refusal membership_exists, chapter_not_active, validation_error
 */
export async function addProspect(chapterId: string, named: Named, answers: Edit<PnmProfile>): Promise<string> {
  const membership_id = await addMember(chapterId, { ...named, role: 'member', status: 'pnm' });
  const profile = await lockRow(PnmProfile, { membership_id });
  await editRow(profile, answers);
  return profile.id;
}
