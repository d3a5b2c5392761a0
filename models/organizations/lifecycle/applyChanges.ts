/** Scheduled changes on their day. */
import { translateDatabaseError } from '../../database/constraints.js';
import { editRow, lockRow, now } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { Refusal } from '../../errors.js';
import { changeMembership, lockMembership } from '../changeMembership.js';
import { type OrganizationDay, type OrganizationPage, organizationsByDay } from '../organizationsByDay.js';
import { lockMove } from '../transfers/lockMove.js';
import { transferMembership } from '../transfers/transferMembership.js';
import { ScheduledChange } from './ScheduledChange.js';

/** One page of active organizations, reduced to those whose date has reached a scheduled change. */
export const organizationsWithChanges = (after: string | null): Promise<OrganizationPage> =>
  organizationsByDay(after, async ({ day }) => (await nextDueChange(day)) !== null);

interface DueChange {
  id: string;
  membership_id: string;
  requested_by: string | null;
  to_chapter_id: string | null;
}

/** The next change that is due by `day`; a day that the organization has not reached yet counts as its own today. */
const nextDueChange = (day: string): Promise<DueChange | null> =>
  firstRow<DueChange>(
    `SELECT id, membership_id, requested_by, to_chapter_id FROM membership_scheduled_changes
      WHERE organization_id = $1 AND state = 'scheduled' AND effective_on <= least($2::date, app.today())
      ORDER BY effective_on, id LIMIT 1`,
    [currentOrganization(), day],
  );

/** What the day itself says no with; everything else is tried again. */
const FINAL = new Set([
  'transition_not_allowed',
  'forbidden',
  'validation_error',
  'later_change_exists',
  'not_in_active_standing',
  'not_found',
  'chapter_not_active',
  'membership_exists',
  'invitation_open',
]);

/** Applies the next change that is due, once, in the name of who asked for it. @returns whether there was one */
export async function applyNextChange({ organizationId, day }: OrganizationDay): Promise<boolean> {
  const due = await inTenant(organizationId, () => nextDueChange(day), { readOnly: true });
  if (!due) return false;
  const origin = { userId: due.requested_by, requestId: null, ipAddress: null };
  try {
    await inTenant(organizationId, () => apply(due), { origin });
  } catch (error) {
    const refusal = error instanceof Refusal ? error.code : translateDatabaseError(error)?.code;
    if (refusal === undefined || !FINAL.has(refusal)) throw error;
    await inTenant(organizationId, () => end(due.id, { state: 'refused', refusal }), { origin });
  }
  return true;
}

/** The membership is locked first, as by whoever changes it by hand. */
async function apply({ id, membership_id, to_chapter_id }: DueChange): Promise<void> {
  if (to_chapter_id) return applyTransfer(id, membership_id, to_chapter_id);
  const membership = await lockMembership(membership_id);
  const { status, role, reason, hand, effective_on: effectiveOn } = await lockRow(ScheduledChange, id);
  if (!(await end(id, { state: 'applied' }))) return;
  const edit = { ...(status && { status }), ...(role && { role }) };
  await changeMembership(membership, edit, { hand, source: 'scheduled', reason, effectiveOn });
}

async function applyTransfer(id: string, membershipId: string, toChapter: string): Promise<void> {
  const move = await lockMove(membershipId, toChapter);
  const { effective_on } = await lockRow(ScheduledChange, id);
  if (await end(id, { state: 'applied' })) await transferMembership(move, effective_on);
}

/** @returns false for a change that has ended already */
async function end(id: string, how: { state: 'applied' | 'refused'; refusal?: string }): Promise<boolean> {
  const change = await lockRow(ScheduledChange, id);
  if (change.state !== 'scheduled') return false;
  await editRow(change, { ...how, ended_at: now });
  return true;
}
