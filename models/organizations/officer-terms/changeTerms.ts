import { audit } from '../../database/audit.js';
import { lockForEdit } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { invalid, Refusal } from '../../errors.js';
import { identityErrors } from '../../identity/errors.js';
import { isPlaceholder } from '../../identity/placeholders.js';
import { notify } from '../../notifications/notify.js';
import { withChangeContext } from '../lifecycle/history.js';
import { Membership } from '../Membership.js';
import { notifications } from '../notifications.js';

/**
 * Locks a membership of the chapter. Transactions lock a membership before its terms, because changes of the role do
 * so.
 * @throws Refusal validation_error
 */
export async function lockMember(chapterId: string, id: string, field: string): Promise<Membership> {
  try {
    return await lockForEdit(Membership, { id, chapter_id: chapterId });
  } catch (error) {
    if (error instanceof Refusal) throw invalid(field, 'There is no such member of this chapter.');
    throw error;
  }
}

/**
 * Requires that the member has accepted the invitation; otherwise the office would have no holder with an account.
 * @throws Refusal invitation_open
 */
export async function requireAccepted({ user_id }: Membership): Promise<void> {
  if (await isPlaceholder(user_id)) throw identityErrors.invitation_open();
}

/** Requires a day that is not in the future, by the organization's date. @throws Refusal validation_error */
export async function requirePast(day: string, field: string): Promise<void> {
  const { future } = await oneRow<{ future: boolean }>('SELECT $1::date > app.today() AS future', [day]);
  if (future) throw invalid(field, 'Must not be in the future.');
}

/** Returns the organization's date. */
export const today = async (): Promise<string> =>
  (
    await oneRow<{ today: string }>('SELECT app.local_day(timezone)::text AS today FROM organizations WHERE id = $1', [
      currentOrganization(),
    ])
  ).today;

/**
 * Changes terms of locked memberships. A trigger updates the roles (`keep_role_to_terms.sql`). History, audit log and
 * notifications treat it like any other change of a role.
 * @param effectiveOn the day from which the change holds
 * @throws Refusal not_in_active_standing, office_taken, later_change_exists
 */
export async function changeTerms<T>(members: Membership[], effectiveOn: string, work: () => Promise<T>): Promise<T> {
  const before = members.map(({ role }) => role);
  const result = await withChangeContext({ source: 'office', effectiveOn }, work);
  for (const [n, member] of members.entries()) {
    await member.reload();
    const [previousRole, currentRole] = [before[n], member.role];
    if (previousRole === currentRole) continue;
    await audit({
      action: 'membership.updated',
      subjectType: 'membership',
      subjectId: member.id,
      person: { membershipId: member.id },
      before: { role: previousRole },
      after: { role: currentRole },
    });
    await notify(notifications.membership_changed, [member.id], { cause: `changed:${member.version}` });
  }
  return result;
}
