/** Applies scheduled changes on their day. */
import { editRow, lockForEdit, now } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { notify } from '../../notifications/notify.js';
import { changeMembership, lockForStatus } from '../changeMembership.js';
import { lockMove } from '../transfers/lockMove.js';
import { transferMembership } from '../transfers/transferMembership.js';
import { notifications } from '../notifications.js';
import type { OrganizationDay } from '../organizationsByDay.js';
import { type ScheduledFailure, runScheduled, requireAuthority } from './runScheduled.js';
import { ScheduledChange } from './ScheduledChange.js';

interface DueChange {
  id: string;
  membership_id: string;
  requested_by: string | null;
  to_chapter_id: string | null;
}

/** Returns the next change that is due by `day`, or by the organization's own date if that is earlier. */
export const nextDueChange = (day: string): Promise<DueChange | null> =>
  firstRow<DueChange>(
    `SELECT id, membership_id, requested_by, to_chapter_id FROM membership_scheduled_changes
      WHERE organization_id = $1 AND state = 'scheduled' AND effective_on <= least($2::date, app.today())
      ORDER BY effective_on, id LIMIT 1`,
    [currentOrganization(), day],
  );

/** Applies the next due change, once, in the name of the person who scheduled it. @returns whether there was one */
export async function applyNextChange({ organizationId, day }: OrganizationDay): Promise<boolean> {
  const due = await inTenant(organizationId, () => nextDueChange(day), { readOnly: true });
  if (!due) return false;
  await runScheduled(
    organizationId,
    due,
    () => applyChange(due),
    (ending) => endChange(due.id, ending),
  );
  return true;
}

/** Applies a due change. The membership is locked first, as every caller of `changeMembership` does. */
async function applyChange({ id, membership_id, requested_by, to_chapter_id }: DueChange): Promise<void> {
  if (to_chapter_id) return applyTransfer({ id, membership_id, requested_by }, to_chapter_id);
  const membership = await lockForStatus(membership_id);
  const { status, role, reason, hand: authority, effective_on: effectiveOn } = await lockForEdit(ScheduledChange, id);
  if (!(await endChange(id, { state: 'applied' }))) return;
  await requireAuthority(requested_by, membership.chapter_id, authority);
  const edit = { ...(status && { status }), ...(role && { role }) };
  await changeMembership(membership, edit, { authority, source: 'scheduled', reason, effectiveOn });
}

async function applyTransfer(
  { id, membership_id, requested_by }: Pick<DueChange, 'id' | 'membership_id' | 'requested_by'>,
  toChapter: string,
): Promise<void> {
  const move = await lockMove(membership_id, toChapter);
  const { effective_on, hand } = await lockForEdit(ScheduledChange, id);
  if (!(await endChange(id, { state: 'applied' }))) return;
  await requireAuthority(requested_by, toChapter, hand);
  await transferMembership(move, effective_on);
}

/**
 * Ends a scheduled change, either as applied or with the reason why it was not. In the second case, the person who
 * scheduled it is notified.
 * @returns false for a change that has ended already
 */
async function endChange(id: string, outcome: ScheduledFailure | { state: 'applied' }): Promise<boolean> {
  const change = await lockForEdit(ScheduledChange, id);
  if (change.state !== 'scheduled') return false;
  await editRow(change, { ...outcome, ended_at: now });
  if (outcome.state !== 'applied') await notify(notifications.scheduled_change_not_made, [id], { actor: null });
  return true;
}
