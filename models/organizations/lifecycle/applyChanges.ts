/** Scheduled changes on their day. */
import { editRow, lockRow, now } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { notify } from '../../notifications/notify.js';
import { changeMembership, lockForStatus } from '../changeMembership.js';
import { lockMove } from '../transfers/lockMove.js';
import { transferMembership } from '../transfers/transferMembership.js';
import { told } from '../notifications.js';
import type { OrganizationDay } from '../organizationsByDay.js';
import { type NotDone, onItsDay, requireHand } from './onItsDay.js';
import { ScheduledChange } from './ScheduledChange.js';

interface DueChange {
  id: string;
  membership_id: string;
  requested_by: string | null;
  to_chapter_id: string | null;
}

/** The next change that is due by `day`; a day that the organization has not reached yet counts as its own today. */
export const nextDueChange = (day: string): Promise<DueChange | null> =>
  firstRow<DueChange>(
    `SELECT id, membership_id, requested_by, to_chapter_id FROM membership_scheduled_changes
      WHERE organization_id = $1 AND state = 'scheduled' AND effective_on <= least($2::date, app.today())
      ORDER BY effective_on, id LIMIT 1`,
    [currentOrganization(), day],
  );

/** Applies the next change that is due, once, in the name of who asked for it. @returns whether there was one */
export async function applyNextChange({ organizationId, day }: OrganizationDay): Promise<boolean> {
  const due = await inTenant(organizationId, () => nextDueChange(day), { readOnly: true });
  if (!due) return false;
  await onItsDay(
    organizationId,
    due,
    () => apply(due),
    (how) => end(due.id, how),
  );
  return true;
}

/** The membership is locked first, as by whoever changes it by hand. */
async function apply({ id, membership_id, requested_by, to_chapter_id }: DueChange): Promise<void> {
  if (to_chapter_id) return applyTransfer({ id, membership_id, requested_by }, to_chapter_id);
  const membership = await lockForStatus(membership_id);
  const { status, role, reason, hand, effective_on: effectiveOn } = await lockRow(ScheduledChange, id);
  if (!(await end(id, { state: 'applied' }))) return;
  await requireHand(requested_by, membership.chapter_id, hand);
  const edit = { ...(status && { status }), ...(role && { role }) };
  await changeMembership(membership, edit, { hand, source: 'scheduled', reason, effectiveOn });
}

async function applyTransfer(
  { id, membership_id, requested_by }: Pick<DueChange, 'id' | 'membership_id' | 'requested_by'>,
  toChapter: string,
): Promise<void> {
  const move = await lockMove(membership_id, toChapter);
  const { effective_on, hand } = await lockRow(ScheduledChange, id);
  if (!(await end(id, { state: 'applied' }))) return;
  await requireHand(requested_by, toChapter, hand);
  await transferMembership(move, effective_on);
}

/** Whoever asked hears that it was not done. @returns false for a change that has ended already */
async function end(id: string, how: NotDone | { state: 'applied' }): Promise<boolean> {
  const change = await lockRow(ScheduledChange, id);
  if (change.state !== 'scheduled') return false;
  await editRow(change, { ...how, ended_at: now });
  if (how.state !== 'applied') await notify(told.scheduled_change_not_made, [id], { actor: null });
  return true;
}
