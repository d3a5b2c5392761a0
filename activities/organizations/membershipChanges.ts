/** The steps of what an organization's day asks for. Each finds out by itself what is left to do. */
import { doNext, organizationsWithChanges } from '../../models/organizations/lifecycle/membershipDay.js';
import type { OrganizationPage } from '../../models/organizations/organizationsByDay.js';
import type { MembershipChangesInput } from '../../workflows/contracts/membershipChanges.js';

/** Changes of one run of the step: few enough that a run is short. */
const PAGE = 100;

/** The organizations after `after` whose own date asks for something. */
export const listOrganizationsWithChanges = (after: string | null): Promise<OrganizationPage> =>
  organizationsWithChanges(after);

/** Does what is due: changes, terms, notices; each in its own transaction. @returns whether there may be more */
export const applyDueChanges = async (input: MembershipChangesInput): Promise<boolean> => {
  for (let done = 0; done < PAGE; done += 1) if (!(await doNext(input))) return false;
  return true;
};
