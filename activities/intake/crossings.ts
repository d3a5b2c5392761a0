import { inTenant } from '../../models/database/tenancy.js';
import { Refusal } from '../../models/errors.js';
import {
  type CarryResult,
  type CrossingStep,
  carryOver,
  welcome,
} from '../../models/intake/crossings/crossingSteps.js';
import type { CrossInput } from '../../workflows/contracts/cross.js';

/** Copies the intake answers to the member's records; a second run changes nothing. */
export const carryAnswers = ({ organizationId, crossingId }: CrossInput): Promise<CarryResult> =>
  inTenant(organizationId, () => carryOver(crossingId));

/**
 * Mails the invitation to a new member who has not accepted it yet, unless a mail went to the member's address today.
 */
export const welcomeMember = async ({ organizationId, crossingId }: CrossInput): Promise<CrossingStep> => {
  try {
    return await inTenant(organizationId, () => welcome(crossingId, true));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return inTenant(organizationId, () => welcome(crossingId, false));
  }
};
