/** Steps of a remittance's payment. Each step reads the rows again and may run any number of times. */
import { isTransient } from '../../models/database/constraints.js';
import { RowMissing } from '../../models/errors.js';
import { inTenant } from '../../models/database/tenancy.js';
import { type Attempt, loadAttempt } from '../../models/finances/attempts/attempt.js';
import { CANCELLED } from '../../models/finances/attempts/cancelAttempt.js';
import { concludeAttempt } from '../../models/finances/attempts/concludeAttempt.js';
import { lockRemittance } from '../../models/finances/remittances/remittance.js';
import {
  type CapturedCharge,
  flagRemittance,
  type Settlement,
  settleRemittance,
} from '../../models/finances/remittances/settleRemittance.js';
import type { PayRemittanceInput, PayRemittanceOutcome } from '../../workflows/contracts/payRemittance.js';
import {
  abandonAttemptCharge,
  type AttemptCharge,
  confirmAttemptCharge,
  type EndedStatus,
  intentOf,
  openAttemptCharge,
} from './chargeSteps.js';

/** Outcomes of ended attempts. */
const OUTCOMES = { succeeded: 'settled', flagged: 'flagged', failed: 'declined' } as const satisfies Record<
  EndedStatus,
  PayRemittanceOutcome
>;

/** Translates the status of an ended attempt into the outcome of the process; other results are passed on. */
const outcomeOf = <T extends string>(result: T | EndedStatus): T | PayRemittanceOutcome =>
  result in OUTCOMES ? OUTCOMES[result as EndedStatus] : (result as T);

const chargeOf = ({ organizationId, remittanceId, attemptId }: PayRemittanceInput): AttemptCharge => ({
  organizationId,
  attemptId,
  load: () => inTenant(organizationId, () => loadAttempt(attemptId), { readOnly: true }),
  referenceOf: ({ processorId }) => ({
    organization_id: organizationId,
    processor_id: processorId,
    remittance_id: remittanceId,
    attempt_id: attemptId,
  }),
  // A provider stores its own errors under the key, too, so each try gets a new key.
  openingKeyOf: (_attempt, previousTries) =>
    previousTries === null ? `open:${attemptId}` : `open:${attemptId}:${previousTries}`,
  isKept: false,
  decline: (failure) =>
    inTenant(organizationId, () => concludeAttempt({ attemptId }, { status: 'failed', ...failure })),
});

/** Opens an unconfirmed charge and commits its id, so that later steps can look it up. */
export const openCharge = async (input: PayRemittanceInput): Promise<'opened' | PayRemittanceOutcome> =>
  outcomeOf<'opened'>(await openAttemptCharge(chargeOf(input)));

/** Captures the money, unless an earlier attempt has captured it. */
export const confirmCharge = async (
  input: PayRemittanceInput,
): Promise<'captured' | 'not_captured' | PayRemittanceOutcome> =>
  outcomeOf<'captured' | 'not_captured'>(await confirmAttemptCharge(chargeOf(input)));

/** Cancels the charge at the provider, and reports it as not captured only when nothing can be captured any more. */
export const abandonCharge = async (
  input: PayRemittanceInput,
  reason?: 'cancelled',
): Promise<'captured' | PayRemittanceOutcome> =>
  outcomeOf<'captured'>(await abandonAttemptCharge(chargeOf(input), reason === 'cancelled' ? CANCELLED : {}));

/**
 * Credits the members, or flags the money for an administrator. When this returns, captured money is either credited or
 * flagged.
 */
export const settleCharge = async (input: PayRemittanceInput): Promise<Settlement> => {
  const { organizationId, attemptId } = input;
  const captured: { charge?: CapturedCharge } = {};
  try {
    return await inTenant(organizationId, async () => {
      captured.charge = capturedCharge(await loadAttempt(attemptId), input);
      return settle(captured.charge);
    });
  } catch (error) {
    const { charge } = captured;
    // Flag the money only for errors that a retry would repeat.
    if (!charge || error instanceof RowMissing || isTransient(error)) throw error;
    return inTenant(organizationId, () => flagUnsettled(charge));
  }
};

function capturedCharge(attempt: Attempt, { remittanceId }: PayRemittanceInput): CapturedCharge {
  if (!attempt.capturedCents) throw new Error('Nothing was captured.');
  const { processorId, capturedCents: amountCents } = attempt;
  return { remittanceId, processorId, intentId: intentOf(attempt), amountCents };
}

async function settle(charge: CapturedCharge): Promise<Settlement> {
  const settlement = await settleRemittance(charge);
  if (!settlement) throw new RowMissing('There is no such remittance.');
  return settlement;
}

async function flagUnsettled(charge: CapturedCharge): Promise<Settlement> {
  await lockRemittance(charge.remittanceId);
  return flagRemittance(charge, 'settlement_failed');
}
