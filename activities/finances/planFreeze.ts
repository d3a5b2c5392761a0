import { inTenant } from '../../models/database/tenancy.js';
import { followFreeze, type FreezeStep } from '../../models/finances/payment-plans/followFreeze.js';
import type { PlanFreezeInput } from '../../workflows/contracts/planFreeze.js';

/** Sends what is due at this point of the freeze window. A second run finds it done. */
export const followPlanFreeze = ({ organizationId, requestId }: PlanFreezeInput): Promise<FreezeStep> =>
  inTenant(organizationId, () => followFreeze(requestId));
