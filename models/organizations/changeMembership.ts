import { type Edit, editRow, lockExclusive, lockForEdit, requireVersion } from '../database/model/change.js';
import { requireFound, invalid } from '../errors.js';
import { notify } from '../notifications/notify.js';
import { organizationsUpstream } from './upstream.js';
import { organizationsErrors } from './errors.js';
import { semesterOfDay } from './lifecycle/carryForward.js';
import { withChangeContext, type PeriodSource, readMembershipState } from './lifecycle/history.js';
import { type Authority, requireTransition, requireRoleAuthority } from './lifecycle/transitions.js';
import { Membership } from './Membership.js';
import { notifications } from './notifications.js';
import { endRequests } from './requests/endRequests.js';
import { lockOpenRequests } from './requests/openRequests.js';
import { isTerminal } from './vocabulary.js';

/**
 * The circumstances of a change of status or role: the authority of the person who makes it, and details for the
 * history.
 */
export interface ChangeContext {
  /**
   * Authority of the person who makes the change. Null if the platform itself makes the change; the table of
   * transitions then does not apply.
   */
  authority: Authority | null;
  /** Source of the change for the history; omitted for an ordinary edit. */
  source?: PeriodSource;
  reason?: string | null | undefined;
  /** Day from which the change holds, today or earlier, by the organization's date. Default: today. */
  effectiveOn?: string | undefined;
  /**
   * The request whose approval makes the change. It is not closed together with the membership's other open requests,
   * because the caller closes it.
   */
  approvedRequest?: string | null | undefined;
}

/**
 * Locks a membership for a change, so that permissions are checked against its current state.
 * @throws Refusal not_found
 */
export const lockMembership = (id: string): Promise<Membership> => lockForEdit(Membership, id);

/**
 * Locks a membership for a change of status. Such a change may close requests, so the open requests are locked first.
 * @throws Refusal not_found
 */
export async function lockForStatus(id: string): Promise<Membership> {
  await lockOpenRequests([id]);
  return lockMembership(id);
}

/**
 * Locks a membership exclusively, so that no new row, for example an invoice, can refer to it. @throws Refusal
 * not_found
 */
export const lockMembershipExclusive = async (id: string): Promise<Membership> =>
  requireFound(await lockExclusive(Membership, id));

/**
 * Changes a locked membership. All changes of status and role go through this function. The table of transitions says
 * which authority may make which change, and a trigger writes the history. A membership that reaches a terminal status
 * pays its debt from the member's own credit, in the same transaction (spec: States, Membership). An ended membership
 * closes its open requests (`endRequests`). When the member is no longer in active standing, their office in the
 * chapter ends (`keep_office_in_standing.sql`). The member is notified of a new status or role.
 * @throws Refusal stale_version, validation_error, transition_not_allowed, forbidden, later_change_exists,
 * not_in_active_standing
 */
export async function changeMembership(
  membership: Membership,
  input: Edit<Membership>,
  context: ChangeContext,
): Promise<void> {
  requireVersion(membership, input.version);
  const edit = withSemester(membership, input);
  const { status, role } = edit;
  const from = membership.status;
  const changesStatus = status !== undefined && status !== from;
  if (!changesStatus && (role === undefined || role === membership.role)) return void (await editRow(membership, edit));
  if (context.authority) requireRoleAuthority(context.authority, [membership.role, role ?? membership.role]);
  const source = await sourceOf(membership, changesStatus ? status : from, context);
  const { reason, effectiveOn } = context;
  const changed = await withChangeContext({ source, reason, effectiveOn }, () => editRow(membership, edit));
  if (role !== undefined && role !== membership.role) throw organizationsErrors.not_in_active_standing();
  if (changesStatus && isTerminal(membership.status)) await organizationsUpstream().endMemberAccounts([membership.id]);
  if (changesStatus)
    await endRequests([{ membership: membership.id, from, to: membership.status }], context.approvedRequest);
  if (changed.includes('status') || changed.includes('role'))
    await notify(notifications.membership_changed, [membership.id], { cause: `changed:${membership.version}` });
}

/**
 * If the stored crossing semester (when the person became a member) was derived from the crossing date, it changes
 * along with that date. A semester that was entered by hand stays.
 */
function withSemester({ crossing_date, crossing_semester }: Membership, edit: Edit<Membership>): Edit<Membership> {
  const { crossing_date: corrected, crossing_semester: typed } = edit;
  if (corrected === undefined || typed !== undefined || crossing_date === null) return edit;
  if (crossing_semester !== semesterOfDay(crossing_date)) return edit;
  return { ...edit, crossing_semester: corrected && semesterOfDay(corrected) };
}

/** Checks that the change is allowed, and returns its source for the history. */
async function sourceOf(
  { id, status }: Membership,
  to: Membership['status'],
  { authority, source, reason = null, effectiveOn }: ChangeContext,
): Promise<PeriodSource> {
  const { today, since, ...state } = await readMembershipState(id);
  if (effectiveOn !== undefined && effectiveOn > today) throw invalid('effective_on', 'Must not be in the future.');
  if (effectiveOn !== undefined && effectiveOn < since)
    throw organizationsErrors.later_change_exists(
      `This membership last changed on ${since}. A change cannot take effect before that day.`,
    );
  const { isCorrection } =
    to !== status && authority ? requireTransition(state, to, authority, reason) : { isCorrection: false };
  return source ?? (isCorrection ? 'correction' : 'change');
}
