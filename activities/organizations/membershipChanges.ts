/**
 * Steps of membership changes that are due on an organization's date. Each step reads its remaining work from the rows.
 */
import { processNextDue, organizationsWithChanges } from '../../models/organizations/lifecycle/membershipDay.js';
import type { OrganizationBatch } from '../../models/organizations/organizationsByDay.js';
import type { MembershipChangesInput } from '../../workflows/contracts/membershipChanges.js';

/** Maximum number of changes per run of the step, which keeps a run short. */
const BATCH_SIZE = 100;

/** Lists organizations, after the cursor `after`, that have changes due on their own date. */
export const listOrganizationsWithChanges = (after: string | null): Promise<OrganizationBatch> =>
  organizationsWithChanges(after);

/**
 * Applies due changes, terms and notices, each in its own transaction.
 * @returns whether there may be more
 */
export const applyDueChanges = async (input: MembershipChangesInput): Promise<boolean> => {
  for (let done = 0; done < BATCH_SIZE; done += 1) if (!(await processNextDue(input))) return false;
  return true;
};
