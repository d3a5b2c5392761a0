/**
 * Processes what is due on an organization's day: changes of status and role, planned terms that begin, and notices
 * about terms.
 */
import { beginNextTerm, nextDueTerm } from '../officer-terms/beginPlanned.js';
import { hasNotices, sendTermNotices } from '../officer-terms/sendTermNotices.js';
import { type OrganizationDay, type OrganizationBatch, organizationsByDay } from '../organizationsByDay.js';
import { applyNextChange, nextDueChange } from './applyChanges.js';

/** Returns those organizations of one batch of active organizations that have something due on their own date. */
export const organizationsWithChanges = (after: string | null): Promise<OrganizationBatch> =>
  organizationsByDay(
    after,
    async ({ day }) => (await nextDueChange(day)) !== null || (await nextDueTerm(day)) !== null || (await hasNotices()),
  );

/**
 * Processes the next due item: changes of status first, because an office depends on them. @returns whether there was
 * one
 */
export async function processNextDue(input: OrganizationDay): Promise<boolean> {
  for (const next of [applyNextChange, beginNextTerm, sendTermNotices]) if (await next(input)) return true;
  return false;
}
