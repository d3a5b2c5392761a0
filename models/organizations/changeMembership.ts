import { type Edit, editRow, holdRow, lockRow, requireVersion } from '../database/model/change.js';
import { found, invalid } from '../errors.js';
import { notify } from '../notifications/notify.js';
import { aboveOrganizations } from './above.js';
import { organizationsErrors } from './errors.js';
import { semesterOfDay } from './lifecycle/carryForward.js';
import { explained, type PeriodSource, readStanding } from './lifecycle/history.js';
import { type Hand, requireTransition, requireTrust } from './lifecycle/transitions.js';
import { Membership } from './Membership.js';
import { told } from './notifications.js';
import { endRequests } from './requests/endRequests.js';
import { lockOpenRequests } from './requests/openRequests.js';
import { isTerminal } from './vocabulary.js';

/** How a change of status or role comes about. */
export interface Manner {
  /** By whose right; null where the platform itself ends what is over: no table of transitions binds it. */
  hand: Hand | null;
  /** Where it is more than a change by hand. */
  source?: PeriodSource;
  reason?: string | null | undefined;
  /** From when it holds, today or before, by the organization's date; left out: today. */
  effectiveOn?: string | undefined;
  /** The request whose approval makes the change. It stays open for the caller to close. */
  approvedRequest?: string | null | undefined;
}

/** Loads a membership for change; who may change it is decided on this state. @throws Refusal not_found */
export const lockMembership = (id: string): Promise<Membership> => lockRow(Membership, id);

/** The same for a change of status, which may close requests: these are locked first. @throws Refusal not_found */
export async function lockForStatus(id: string): Promise<Membership> {
  await lockOpenRequests([id]);
  return lockMembership(id);
}

/** The same, and nothing new refers to it meanwhile: no invoice, say. @throws Refusal not_found */
export const holdMembership = async (id: string): Promise<Membership> => found(await holdRow(Membership, id));

/**
 * Changes a locked membership: the one way in which status and role are written. The table of transitions says what may
 * become of it by whose hand, and a trigger writes its history. One that reaches a terminal status pays its debt from the
 * member's own credit, in the same transaction (spec: States, Membership). One that ends closes its open requests
 * (`endRequests`). One that is no longer in active standing ends the office in the chapter
 * (`keep_office_in_standing.sql`). Whose status or role it is hears of it.
 * @throws Refusal stale_version, validation_error, transition_not_allowed, forbidden, later_change_exists,
 *   not_in_active_standing
 */
export async function changeMembership(membership: Membership, given: Edit<Membership>, manner: Manner): Promise<void> {
  requireVersion(membership, given.version);
  const edit = withSemester(membership, given);
  const { status, role } = edit;
  const from = membership.status;
  const moves = status !== undefined && status !== from;
  if (!moves && (role === undefined || role === membership.role)) return void (await editRow(membership, edit));
  if (manner.hand) requireTrust(manner.hand, [membership.role, role ?? membership.role]);
  const source = await sourceOf(membership, moves ? status : from, manner);
  const { reason, effectiveOn } = manner;
  const changed = await explained({ source, reason, effectiveOn }, () => editRow(membership, edit));
  if (role !== undefined && role !== membership.role) throw organizationsErrors.not_in_active_standing();
  if (moves && isTerminal(membership.status)) await aboveOrganizations().endMemberAccounts([membership.id]);
  if (moves) await endRequests([{ membership: membership.id, from, to: membership.status }], manner.approvedRequest);
  if (changed.includes('status') || changed.includes('role'))
    await notify(told.membership_changed, [membership.id], { cause: `changed:${membership.version}` });
}

/** A semester that was derived from the crossing date changes with the date; a typed one stays. */
function withSemester({ crossing_date, crossing_semester }: Membership, edit: Edit<Membership>): Edit<Membership> {
  const { crossing_date: corrected, crossing_semester: typed } = edit;
  if (corrected === undefined || typed !== undefined || crossing_date === null) return edit;
  if (crossing_semester !== semesterOfDay(crossing_date)) return edit;
  return { ...edit, crossing_semester: corrected && semesterOfDay(corrected) };
}

/** What the history says of the path, when the change may be made. */
async function sourceOf(
  { id, status }: Membership,
  to: Membership['status'],
  { hand, source, reason = null, effectiveOn }: Manner,
): Promise<PeriodSource> {
  const { today, since, ...standing } = await readStanding(id);
  if (effectiveOn !== undefined && effectiveOn > today) throw invalid('effective_on', 'This day has not come yet.');
  if (effectiveOn !== undefined && effectiveOn < since)
    throw organizationsErrors.later_change_exists(
      `This membership has been as it is since ${since}: a change cannot hold from before.`,
    );
  const { isCorrection } =
    to !== status && hand ? requireTransition(standing, to, hand, reason) : { isCorrection: false };
  return source ?? (isCorrection ? 'correction' : 'change');
}
