import { inTenant } from '../../models/database/tenancy.js';
import { cancelBulkApproval, grantNext, whoApproves } from '../../models/finances/payment-plans/grantNext.js';
import type { PlanBulkApproval } from '../../models/finances/payment-plans/PlanBulkApproval.js';
import type { PlanBulkApprovalInput } from '../../workflows/contracts/planBulkApproval.js';

/** Requests that one step comes to. */
const AT_A_TIME = 100;

/**
 * Grants the next requests, each in a transaction of its own, in the name of whoever confirmed them. Begun anew, it goes on after the last.
 * @returns `approving`: there may be more
 */
export const grantPlans = async ({
  organizationId,
  approvalId,
}: PlanBulkApprovalInput): Promise<PlanBulkApproval['status']> => {
  const userId = await inTenant(organizationId, () => whoApproves(approvalId), { readOnly: true });
  const origin = { userId, requestId: null, ipAddress: null };
  for (let n = 0; n < AT_A_TIME; n += 1) {
    const status = await inTenant(organizationId, () => grantNext(approvalId), { origin });
    if (status !== 'approving') return status;
  }
  return 'approving';
};

/** Calls off what is left of it. */
export const stopPlanBulkApproval = ({ organizationId, approvalId }: PlanBulkApprovalInput): Promise<void> =>
  inTenant(organizationId, () => cancelBulkApproval(approvalId));
