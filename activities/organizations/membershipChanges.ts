/** Steps of changes that are due on an organization's date. Each finds its remaining work from the rows. */
import { doNext, organizationsWithChanges } from '../../models/organizations/lifecycle/membershipDay.js';
import type { OrganizationPage } from '../../models/organizations/organizationsByDay.js';
import type { MembershipChangesInput } from '../../workflows/contracts/membershipChanges.js';

/** Changes per run of the step: a run stays short. */
const PAGE = 100;

/** Organizations after `after` that have changes due on their own date. */
export const listOrganizationsWithChanges = (after: string | null): Promise<OrganizationPage> =>
  organizationsWithChanges(after);

/** Applies what is due (changes, terms, notices), each in its own transaction. @returns whether there may be more */
export const applyDueChanges = async (input: MembershipChangesInput): Promise<boolean> => {
  for (let done = 0; done < PAGE; done += 1) if (!(await doNext(input))) return false;
  return true;
};
