import { inTenant } from '../../models/database/tenancy.js';
import { cancelBulkApproval, grantNext, whoApproves } from '../../models/finances/payment-plans/grantNext.js';
import type { PlanBulkApproval } from '../../models/finances/payment-plans/PlanBulkApproval.js';
import type { PlanBulkApprovalInput } from '../../workflows/contracts/planBulkApproval.js';

/** Requests per step. */
const AT_A_TIME = 100;

/**
 * Grants the next requests, each in its own transaction, in the name of the person who confirmed them. A restarted
 * step continues after the last one.
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

/** Cancels the remaining requests. */
export const stopPlanBulkApproval = ({ organizationId, approvalId }: PlanBulkApprovalInput): Promise<void> =>
  inTenant(organizationId, () => cancelBulkApproval(approvalId));
