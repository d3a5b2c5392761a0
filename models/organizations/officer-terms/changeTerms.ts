import { audit } from '../../database/audit.js';
import { lockRow } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { invalid, Refusal } from '../../errors.js';
import { identityErrors } from '../../identity/errors.js';
import { isPlaceholder } from '../../identity/placeholders.js';
import { notify } from '../../notifications/notify.js';
import { explained } from '../lifecycle/history.js';
import { Membership } from '../Membership.js';
import { told } from '../notifications.js';

/** A membership of the chapter, locked before its terms are, as whoever changes its role does. @throws Refusal validation_error */
export async function lockMember(chapterId: string, id: string, field: string): Promise<Membership> {
  try {
    return await lockRow(Membership, { id, chapter_id: chapterId });
  } catch (error) {
    if (error instanceof Refusal) throw invalid(field, 'There is no such member of this chapter.');
    throw error;
  }
}

/** An office that goes over to somebody who has not accepted would be nobody's. @throws Refusal invitation_open */
export async function requireAccepted({ user_id }: Membership): Promise<void> {
  if (await isPlaceholder(user_id)) throw identityErrors.invitation_open();
}

/** What has happened has happened by the organization's date. @throws Refusal validation_error for a day to come */
export async function requirePast(day: string, field: string): Promise<void> {
  const { future } = await oneRow<{ future: boolean }>('SELECT $1::date > app.today() AS future', [day]);
  if (future) throw invalid(field, 'This day has not come yet.');
}

/** The organization's date. */
export const today = async (): Promise<string> =>
  (
    await oneRow<{ today: string }>('SELECT app.local_day(timezone)::text AS today FROM organizations WHERE id = $1', [
      currentOrganization(),
    ])
  ).today;

/**
 * Changes terms of locked memberships. Their roles follow by a trigger (`keep_role_to_terms.sql`); history, log and people
 * hear of it as of any other change of a role.
 * @param effectiveOn from when
 * @throws Refusal not_in_active_standing, office_taken, later_change_exists
 */
export async function changeTerms<T>(members: Membership[], effectiveOn: string, work: () => Promise<T>): Promise<T> {
  const before = members.map(({ role }) => role);
  const result = await explained({ source: 'office', effectiveOn }, work);
  for (const [n, member] of members.entries()) {
    await member.reload();
    const [was, is] = [before[n], member.role];
    if (was === is) continue;
    await audit({
      action: 'membership.updated',
      subjectType: 'membership',
      subjectId: member.id,
      person: { membershipId: member.id },
      before: { role: was },
      after: { role: is },
    });
    await notify(told.membership_changed, [member.id], { cause: `changed:${member.version}` });
  }
  return result;
}
