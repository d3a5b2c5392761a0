import { type Edit, editRow, lockForEdit } from '../../database/model/change.js';
import { addMember, type NewMember } from '../../organizations/addMember.js';
import { PnmProfile } from './PnmProfile.js';

type NamedPerson = Pick<NewMember, 'email' | 'first_name' | 'last_name'>;

/**
 * Adds a prospective member for an officer. Invites the person if the organization does not know the address yet. A
 * trigger creates the profile together with the membership.
 * @returns the profile's id
 * @throws Refusal membership_exists, chapter_not_active, validation_error
 */
export async function addProspect(chapterId: string, named: NamedPerson, answers: Edit<PnmProfile>): Promise<string> {
  const membership_id = await addMember(chapterId, { ...named, role: 'member', status: 'pnm' });
  const profile = await lockForEdit(PnmProfile, { membership_id });
  await editRow(profile, answers);
  return profile.id;
}
