import { inTenant } from '../../models/database/tenancy.js';
import { cancelBulkApproval, approveNext, readApprover } from '../../models/finances/payment-plans/approveNext.js';
import type { PlanBulkApproval } from '../../models/finances/payment-plans/PlanBulkApproval.js';
import type { PlanBulkApprovalInput } from '../../workflows/contracts/planBulkApproval.js';

/** Requests granted per run of the step. */
const BATCH_SIZE = 100;

/**
 * Grants the next requests, each in its own transaction, on behalf of the person who confirmed the bulk approval. A
 * restarted step continues after the last granted request.
 */
export const grantPlans = async ({
  organizationId,
  approvalId,
}: PlanBulkApprovalInput): Promise<PlanBulkApproval['status']> => {
  const userId = await inTenant(organizationId, () => readApprover(approvalId), { readOnly: true });
  const origin = { userId, requestId: null, ipAddress: null };
  for (let n = 0; n < BATCH_SIZE; n += 1) {
    const status = await inTenant(organizationId, () => approveNext(approvalId), { origin });
    if (status !== 'approving') return status;
  }
  return 'approving';
};

/** Cancels the bulk approval; the remaining requests stay undecided. */
export const stopPlanBulkApproval = ({ organizationId, approvalId }: PlanBulkApprovalInput): Promise<void> =>
  inTenant(organizationId, () => cancelBulkApproval(approvalId));
