import { inTenant } from '../../models/database/tenancy.js';
import { settleNextBatch, stopTurn, turnedBy } from '../../models/intake/recruitment-periods/settleTurn.js';
import type { RecruitmentTurnInput } from '../../workflows/contracts/recruitmentTurn.js';

/**
 * Settles the next batch of applicants, on behalf of the person who closed or reopened the period.
 * @returns whether there may be more applicants; `stopped_right_lost` if that person has lost the right to do so
 */
export const settleApplicants = async ({
  organizationId,
  periodId,
  turn,
}: RecruitmentTurnInput): Promise<boolean | 'stopped_right_lost'> => {
  const userId = await inTenant(organizationId, () => turnedBy(periodId));
  const origin = { userId, requestId: null, ipAddress: null };
  return inTenant(organizationId, () => settleNextBatch(periodId, Number(turn)), { origin });
};

/** Stops settling. The remaining applicants stay unchanged. */
export const stopSettling = ({ organizationId, periodId, turn }: RecruitmentTurnInput): Promise<void> =>
  inTenant(organizationId, () => stopTurn(periodId, Number(turn)));
