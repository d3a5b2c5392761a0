import { inTenant } from '../../models/database/tenancy.js';
import { followFreeze, type FreezeStep } from '../../models/finances/payment-plans/followFreeze.js';
import type { PlanFreezeInput } from '../../workflows/contracts/planFreeze.js';

/** Tells what a window's time asks for. Run again, it finds that done. */
export const followPlanFreeze = ({ organizationId, requestId }: PlanFreezeInput): Promise<FreezeStep> =>
  inTenant(organizationId, () => followFreeze(requestId));
