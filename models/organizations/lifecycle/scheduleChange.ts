import { currentScope } from '../../database/connection.js';
import { createRow, type Edit, requireVersion } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { oneRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { changeMembership, type Manner } from '../changeMembership.js';
import type { Membership } from '../Membership.js';
import { readStanding } from './history.js';
import { ScheduledChange } from './ScheduledChange.js';
import { type Hand, requireTransition, requireTrust } from './transitions.js';

const YEARS_AHEAD = 5;

interface ByHand extends Manner {
  hand: Hand;
}

/**
 * Changes a locked membership at once, or, where the change is to hold from a day to come, schedules it.
 * @returns what was scheduled; null where it was done
 * @throws Refusal as `changeMembership`; change_scheduled
 */
export async function changeOrSchedule(
  membership: Membership,
  edit: Edit<Membership>,
  manner: ByHand,
): Promise<ShownRow<typeof ScheduledChange> | null> {
  const { effectiveOn } = manner;
  if (effectiveOn !== undefined && (await isAhead(effectiveOn))) return schedule(membership, edit, effectiveOn, manner);
  await changeMembership(membership, edit, manner);
  return null;
}

/** Whether a day has not come yet in the organization. @throws Refusal validation_error for one that is too far off */
export async function isAhead(day: string, field = 'effective_on'): Promise<boolean> {
  const { ahead, far } = await oneRow<{ ahead: boolean; far: boolean }>(
    'SELECT $1::date > app.today() AS ahead, $1::date > app.today() + make_interval(years => $2) AS far',
    [day, YEARS_AHEAD],
  );
  if (far) throw invalid(field, `This is more than ${YEARS_AHEAD} years ahead.`);
  return ahead;
}

async function schedule(
  membership: Membership,
  { version, status, role, ...others }: Edit<Membership>,
  effective_on: string,
  { hand, reason = null }: ByHand,
): Promise<ShownRow<typeof ScheduledChange>> {
  requireVersion(membership, version);
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other) throw invalid(other, 'What is to change on a later day is status and role alone.');
  const moves = status !== undefined && status !== membership.status;
  if (moves || (role !== undefined && role !== membership.role))
    requireTrust(hand, [membership.role, role ?? membership.role]);
  if (moves) requireTransition(await readStanding(membership.id), status, hand, reason);
  const requested_by = currentScope().origin.userId;
  const change = { membership_id: membership.id, status: status ?? null, role: role ?? null, effective_on, reason };
  const { id } = await createRow(ScheduledChange, { ...change, hand, requested_by });
  return readRow(ScheduledChange, id);
}
