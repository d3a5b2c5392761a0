/** Begins planned terms on their day. */
import { editRow, lockForEdit, now } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { notify } from '../../notifications/notify.js';
import { organizationsErrors } from '../errors.js';
import { type ScheduledFailure, runScheduled, requireAuthority } from '../lifecycle/runScheduled.js';
import { notifications } from '../notifications.js';
import type { OrganizationDay } from '../organizationsByDay.js';
import { beginTerm } from './beginTerm.js';
import { handOver } from './handOver.js';
import { OfficerTerm } from './OfficerTerm.js';
import { PlannedTerm } from './PlannedTerm.js';

interface DueTerm {
  id: string;
  requested_by: string | null;
}

/** Returns the next planned term that begins by `day`, or by the organization's own date if that is earlier. */
export const nextDueTerm = (day: string): Promise<DueTerm | null> =>
  firstRow<DueTerm>(
    `SELECT id, requested_by FROM planned_terms
      WHERE organization_id = $1 AND state = 'scheduled' AND starts_on <= least($2::date, app.today())
      ORDER BY starts_on, id LIMIT 1`,
    [currentOrganization(), day],
  );

/** Begins the next due planned term, once, in the name of the person who planned it. @returns whether there was one */
export async function beginNextTerm({ organizationId, day }: OrganizationDay): Promise<boolean> {
  const due = await inTenant(organizationId, () => nextDueTerm(day), { readOnly: true });
  if (!due) return false;
  await runScheduled(
    organizationId,
    due,
    () => beginPlannedTerm(due.id),
    (ending) => endPlan(due.id, ending),
  );
  return true;
}

/**
 * Begins a planned term. The plan is locked after members and terms, which keeps the order of `handOver` and
 * `beginTerm`. If the plan was cancelled or has begun in the meantime, the error below rolls everything back.
 */
async function beginPlannedTerm(id: string): Promise<void> {
  const plan = await loadRow(PlannedTerm, id);
  await requireAuthority(plan.requested_by, plan.chapter_id, 'region');
  const { chapter_id, membership_id, position, title, starts_on, ends_on, predecessor_id } = plan;
  const isPredecessorRunning =
    predecessor_id !== null && (await loadRow(OfficerTerm, predecessor_id)).ended_on === null;
  if (isPredecessorRunning)
    await handOver(predecessor_id, { successor: membership_id, effectiveOn: starts_on, endsOn: ends_on });
  // The predecessor has already left the office, so there is nothing to hand over.
  else await beginTerm(chapter_id, { membership_id, position, title, starts_on, ends_on });
  if (!(await endPlan(id, { state: 'begun' }))) throw organizationsErrors.change_ended();
}

/** Ends a plan. @returns false for a plan that has ended already */
async function endPlan(id: string, outcome: ScheduledFailure | { state: 'begun' }): Promise<boolean> {
  const plan = await lockForEdit(PlannedTerm, id);
  if (plan.state !== 'scheduled') return false;
  await editRow(plan, { ...outcome, ended_at: now });
  if (outcome.state !== 'begun') await notify(notifications.planned_term_not_begun, [id], { actor: null });
  return true;
}
