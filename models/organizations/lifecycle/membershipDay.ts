/** What an organization's day asks for: changes of status and role, offices that begin, notices of terms. */
import { beginNextTerm, nextDueTerm } from '../officer-terms/beginPlanned.js';
import { hasNotices, tellOfTerms } from '../officer-terms/noticeTerms.js';
import { type OrganizationDay, type OrganizationPage, organizationsByDay } from '../organizationsByDay.js';
import { applyNextChange, nextDueChange } from './applyChanges.js';

/** One page of active organizations, reduced to those whose date asks for something. */
export const organizationsWithChanges = (after: string | null): Promise<OrganizationPage> =>
  organizationsByDay(
    after,
    async ({ day }) => (await nextDueChange(day)) !== null || (await nextDueTerm(day)) !== null || (await hasNotices()),
  );

/** Does the next thing that is due: a status first, as an office asks for it. @returns whether there was one */
export async function doNext(input: OrganizationDay): Promise<boolean> {
  for (const next of [applyNextChange, beginNextTerm, tellOfTerms]) if (await next(input)) return true;
  return false;
}
