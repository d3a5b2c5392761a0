import { inTenant } from '../../models/database/tenancy.js';
import { settleNext, stopTurn, turnedBy } from '../../models/intake/recruitment-periods/settleTurn.js';
import type { RecruitmentTurnInput } from '../../workflows/contracts/recruitmentTurn.js';

/** Lets the next applicants follow, in the name of who turned the period. @returns whether there may be more, or that it has stopped */
export const settleApplicants = async ({
  organizationId,
  periodId,
  turn,
}: RecruitmentTurnInput): Promise<boolean | 'stopped_right_lost'> => {
  const userId = await inTenant(organizationId, () => turnedBy(periodId));
  const origin = { userId, requestId: null, ipAddress: null };
  return inTenant(organizationId, () => settleNext(periodId, Number(turn)), { origin });
};

/** Leaves the remaining applicants unchanged. */
export const stopSettling = ({ organizationId, periodId, turn }: RecruitmentTurnInput): Promise<void> =>
  inTenant(organizationId, () => stopTurn(periodId, Number(turn)));
