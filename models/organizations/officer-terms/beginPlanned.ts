/** Planned terms on their day. */
import { editRow, lockRow, now } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { inTenant } from '../../database/tenancy.js';
import { notify } from '../../notifications/notify.js';
import { organizationsErrors } from '../errors.js';
import { type NotDone, onItsDay, requireHand } from '../lifecycle/onItsDay.js';
import { told } from '../notifications.js';
import type { OrganizationDay } from '../organizationsByDay.js';
import { beginTerm } from './beginTerm.js';
import { handOver } from './handOver.js';
import { OfficerTerm } from './OfficerTerm.js';
import { PlannedTerm } from './PlannedTerm.js';

interface DueTerm {
  id: string;
  requested_by: string | null;
}

/** The next one that begins by `day`; a day that the organization has not reached yet counts as its own today. */
export const nextDueTerm = (day: string): Promise<DueTerm | null> =>
  firstRow<DueTerm>(
    `SELECT id, requested_by FROM planned_terms
      WHERE organization_id = $1 AND state = 'scheduled' AND starts_on <= least($2::date, app.today())
      ORDER BY starts_on, id LIMIT 1`,
    [currentOrganization(), day],
  );

/** Begins the next planned term whose day has come, once, in the name of who planned it. @returns whether there was one */
export async function beginNextTerm({ organizationId, day }: OrganizationDay): Promise<boolean> {
  const due = await inTenant(organizationId, () => nextDueTerm(day), { readOnly: true });
  if (!due) return false;
  await onItsDay(
    organizationId,
    due,
    () => begin(due.id),
    (how) => end(due.id, how),
  );
  return true;
}

/** The plan is locked last: members and terms are first, as for whoever does it by hand. Cancelled or begun meanwhile, all is undone. */
async function begin(id: string): Promise<void> {
  const plan = await loadRow(PlannedTerm, id);
  await requireHand(plan.requested_by, plan.chapter_id, 'region');
  const { chapter_id, membership_id, position, title, starts_on, ends_on, predecessor_id } = plan;
  const runs = predecessor_id !== null && (await loadRow(OfficerTerm, predecessor_id)).ended_on === null;
  if (runs) await handOver(predecessor_id, { successor: membership_id, effectiveOn: starts_on, endsOn: ends_on });
  // Whoever was to hand over has left the office before: nobody has to.
  else await beginTerm(chapter_id, { membership_id, position, title, starts_on, ends_on });
  if (!(await end(id, { state: 'begun' }))) throw organizationsErrors.change_ended();
}

/** @returns false for a plan that has ended already */
async function end(id: string, how: NotDone | { state: 'begun' }): Promise<boolean> {
  const plan = await lockRow(PlannedTerm, id);
  if (plan.state !== 'scheduled') return false;
  await editRow(plan, { ...how, ended_at: now });
  if (how.state !== 'begun') await notify(told.planned_term_not_begun, [id], { actor: null });
  return true;
}
