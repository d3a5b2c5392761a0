import { currentScope } from '../../database/connection.js';
import { createRow, type Edit, requireVersion } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { oneRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { changeMembership, type ChangeContext } from '../changeMembership.js';
import type { Membership } from '../Membership.js';
import { readMembershipState } from './history.js';
import { ScheduledChange } from './ScheduledChange.js';
import { type Authority, requireTransition, requireRoleAuthority } from './transitions.js';

const MAX_YEARS_AHEAD = 5;

interface PersonalChangeContext extends ChangeContext {
  authority: Authority;
}

/**
 * Changes a locked membership at once, or schedules the change if it is for a later day.
 * @returns the scheduled change; null if the change was made at once
 * @throws Refusal as `changeMembership`; change_scheduled
 */
export async function changeOrSchedule(
  membership: Membership,
  edit: Edit<Membership>,
  context: PersonalChangeContext,
): Promise<ShownRow<typeof ScheduledChange> | null> {
  const { effectiveOn } = context;
  if (effectiveOn !== undefined && (await isFutureDay(effectiveOn)))
    return schedule(membership, edit, effectiveOn, context);
  await changeMembership(membership, edit, context);
  return null;
}

/**
 * Reports whether a day is in the future, by the organization's date. @throws Refusal validation_error for a day that
 * is too far in the future
 */
export async function isFutureDay(day: string, field = 'effective_on'): Promise<boolean> {
  const { is_future, is_too_far } = await oneRow<{ is_future: boolean; is_too_far: boolean }>(
    'SELECT $1::date > app.today() AS is_future, $1::date > app.today() + make_interval(years => $2) AS is_too_far',
    [day, MAX_YEARS_AHEAD],
  );
  if (is_too_far) throw invalid(field, `Must be at most ${MAX_YEARS_AHEAD} years in the future.`);
  return is_future;
}

async function schedule(
  membership: Membership,
  { version, status, role, ...others }: Edit<Membership>,
  effective_on: string,
  { authority, reason = null }: PersonalChangeContext,
): Promise<ShownRow<typeof ScheduledChange>> {
  requireVersion(membership, version);
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other) throw invalid(other, 'Only status and role can be changed on a later day.');
  const changesStatus = status !== undefined && status !== membership.status;
  if (changesStatus || (role !== undefined && role !== membership.role))
    requireRoleAuthority(authority, [membership.role, role ?? membership.role]);
  if (changesStatus) requireTransition(await readMembershipState(membership.id), status, authority, reason);
  const requested_by = currentScope().origin.userId;
  const change = { membership_id: membership.id, status: status ?? null, role: role ?? null, effective_on, reason };
  const { id } = await createRow(ScheduledChange, { ...change, hand: authority, requested_by });
  return readRow(ScheduledChange, id);
}
