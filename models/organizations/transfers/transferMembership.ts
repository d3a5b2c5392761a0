import { audit } from '../../database/audit.js';
import { createRow } from '../../database/model/change.js';
import { notify } from '../../notifications/notify.js';
import { organizationsUpstream } from '../upstream.js';
import { changeMembership, lockMembership } from '../changeMembership.js';
import { cancelChangesOf } from '../lifecycle/cancelChanges.js';
import { withChangeContext } from '../lifecycle/history.js';
import { Membership } from '../Membership.js';
import { notifications } from '../notifications.js';
import { today } from '../officer-terms/changeTerms.js';
import type { MembershipRole } from '../vocabulary.js';
import type { Move } from './lockMove.js';

/** Returns the role in the new chapter. Offices are not transferred; alumni stay alumni. */
export const roleAfterTransfer = ({ role }: Membership): MembershipRole => (role === 'alumni' ? role : 'member');

/** Returns the fields that a person keeps in the new chapter. */
const transferredFields = ({
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
 * Moves a member to another chapter. The membership there is new, or an earlier one is reactivated, and the old one
 * becomes inactive, so that its invoices stay in the old chapter. Access has no gap. Terms of office end by the
 * triggers of roles; scheduled changes are cancelled, and open requests are closed.
 * @param move locked
 * @param effectiveOn the day from which the transfer holds, today or earlier, by the organization's calendar; default:
 * today
 * @param except the request whose approval makes the transfer
 * @returns the id of the membership in the new chapter
 * @throws Refusal later_change_exists, membership_exists, chapter_not_active, validation_error
 */
export async function transferMembership(
  { membership: { id }, toChapter, reopened }: Move,
  effectiveOn: string | undefined,
  except: string | null = null,
): Promise<string> {
  const day = effectiveOn ?? (await today());
  const context = { authority: null, source: 'transfer', effectiveOn: day } as const;
  await organizationsUpstream().carryCrossing(id);
  const membership = await lockMembership(id);
  const fields = { ...transferredFields(membership), role: roleAfterTransfer(membership) };
  await cancelChangesOf(membership.id);
  if (reopened) await changeMembership(reopened, fields, context);
  const target = reopened ?? (await createMembership(membership.user_id, toChapter, fields, day));
  if (membership.status === 'pnm') await organizationsUpstream().moveProspect(membership.id, target.id);
  await organizationsUpstream().moveAccount(membership.id, target.id);
  await organizationsUpstream().moveCredit(membership.id, target.id);
  await changeMembership(membership, { status: 'inactive' }, { ...context, approvedRequest: except });
  await audit({
    action: 'membership.transferred',
    subjectType: 'membership',
    subjectId: membership.id,
    person: { membershipId: membership.id },
    after: { to_chapter: toChapter, to_membership: target.id, effective_on: day },
  });
  return target.id;
}

async function createMembership(
  user_id: string,
  chapter_id: string,
  fields: ReturnType<typeof transferredFields> & { role: MembershipRole },
  joined_date: string,
): Promise<Membership> {
  const columns = { ...fields, user_id, chapter_id, joined_date };
  const created = await withChangeContext({ source: 'transfer', effectiveOn: joined_date }, () =>
    createRow(Membership, columns),
  );
  await notify(notifications.membership_changed, [created.id], { cause: `changed:${created.version}` });
  return created;
}
