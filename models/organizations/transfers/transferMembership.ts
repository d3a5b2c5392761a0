import { audit } from '../../database/audit.js';
import { createRow } from '../../database/model/change.js';
import { notify } from '../../notifications/notify.js';
import { aboveOrganizations } from '../above.js';
import { changeMembership, lockMembership } from '../changeMembership.js';
import { cancelChangesOf } from '../lifecycle/cancelChanges.js';
import { explained } from '../lifecycle/history.js';
import { Membership } from '../Membership.js';
import { told } from '../notifications.js';
import { today } from '../officer-terms/changeTerms.js';
import type { MembershipRole } from '../vocabulary.js';
import type { Move } from './lockMove.js';

/** Nobody brings an office along; alumni stay alumni. */
export const roleThere = ({ role }: Membership): MembershipRole => (role === 'alumni' ? role : 'member');

/** What a membership says of its person wherever they are. */
const fieldsOf = ({
  status,
  graduation_year,
  graduation_season,
  pledge_class,
  line_number,
  crossing_semester,
  crossing_date,
}: Membership) => ({
  status,
  graduation_year,
  graduation_season,
  pledge_class,
  line_number,
  crossing_semester,
  crossing_date,
});

/**
 * Moves somebody to another chapter: the membership there is new, or the one that they have from before is opened again, and
 * the prior one becomes inactive, so that what was billed stays where it was. Access never lapses between the two. Terms of
 * office end by the triggers of roles; what is scheduled is cancelled, and open requests are closed.
 * @param move locked
 * @param effectiveOn from when, today or before, by the organization's calendar; left out: today
 * @param except the request by whose approval it is done
 * @returns the id of the membership there
 * @throws Refusal later_change_exists, membership_exists, chapter_not_active, validation_error
 */
export async function transferMembership(
  { membership: { id }, toChapter, reopened }: Move,
  effectiveOn: string | undefined,
  except: string | null = null,
): Promise<string> {
  const day = effectiveOn ?? (await today());
  const manner = { hand: null, source: 'transfer', effectiveOn: day } as const;
  await aboveOrganizations().carryCrossing(id);
  const membership = await lockMembership(id);
  const fields = { ...fieldsOf(membership), role: roleThere(membership) };
  await cancelChangesOf(membership.id);
  if (reopened) await changeMembership(reopened, fields, manner);
  const there = reopened ?? (await join(membership.user_id, toChapter, fields, day));
  if (membership.status === 'pnm') await aboveOrganizations().moveProspect(membership.id, there.id);
  await aboveOrganizations().moveAccount(membership.id, there.id);
  await aboveOrganizations().moveCredit(membership.id, there.id);
  await changeMembership(membership, { status: 'inactive' }, { ...manner, approvedRequest: except });
  await audit({
    action: 'membership.transferred',
    subjectType: 'membership',
    subjectId: membership.id,
    person: { membershipId: membership.id },
    after: { to_chapter: toChapter, to_membership: there.id, effective_on: day },
  });
  return there.id;
}

async function join(
  user_id: string,
  chapter_id: string,
  fields: ReturnType<typeof fieldsOf> & { role: MembershipRole },
  joined_date: string,
): Promise<Membership> {
  const joined = { ...fields, user_id, chapter_id, joined_date };
  const made = await explained({ source: 'transfer', effectiveOn: joined_date }, () => createRow(Membership, joined));
  await notify(told.membership_changed, [made.id], { cause: `changed:${made.version}` });
  return made;
}
