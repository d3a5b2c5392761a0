import { inTenant } from '../../models/database/tenancy.js';
import { followFreeze, type FreezeStep } from '../../models/finances/payment-plans/followFreeze.js';
import type { PlanFreezeInput } from '../../workflows/contracts/planFreeze.js';

/** Sends the notifications that are due at this point of the freeze window. A second run sends nothing again. */
export const followPlanFreeze = ({ organizationId, requestId }: PlanFreezeInput): Promise<FreezeStep> =>
  inTenant(organizationId, () => followFreeze(requestId));
