/** Steps of the processes of pledges. Each step reads the rows again and may run any number of times. */
import { type FoundCharge, OutcomeUnknown } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import type { Attempt } from '../../models/finances/attempts/attempt.js';
import { concludeAttempt } from '../../models/finances/attempts/concludeAttempt.js';
import { recordGiftCharge } from '../../models/finances/captures/recordGiftCharge.js';
import { lockDonation } from '../../models/foundation/donations/followCaptures.js';
import { beginConfirming, claimCharge, type ChargeStep } from '../../models/foundation/pledges/claimCharge.js';
import { followPledge as followRow, type PledgeStep } from '../../models/foundation/pledges/followPledge.js';
import { readCardsToForget, recordForgotten } from '../../models/foundation/pledges/keptCard.js';
import {
  type LoadedCharge,
  isRecorded,
  loadCharge,
  readChargeFacts,
} from '../../models/foundation/pledges/loadCharge.js';
import type { PledgeChargeInput } from '../../workflows/contracts/pledgeCharge.js';
import type { RecurringPledgeInput } from '../../workflows/contracts/recurringPledge.js';
import {
  abandonAttemptCharge,
  type AttemptCharge,
  confirmAttemptCharge,
  intentOf,
  openAttemptCharge,
} from '../finances/chargeSteps.js';

/** The provider's clock may differ from the database's clock by some minutes. */
const CLOCK_SKEW_MS = 600_000;

/** Reads a pledge, and opens its period when it is due. */
export const followPledge = ({ organizationId, pledgeId }: RecurringPledgeInput): Promise<PledgeStep> =>
  inTenant(organizationId, () => followRow(pledgeId));

/** Has the provider delete the cards that the pledge no longer uses. Deleting a card again changes nothing. */
export const forgetPledgeCards = async ({ organizationId, pledgeId }: RecurringPledgeInput): Promise<void> => {
  const { access, cards } = await inTenant(organizationId, () => readCardsToForget(pledgeId), { readOnly: true });
  for (const card of cards) {
    await paymentPort(access).forgetCard(card.card);
    await inTenant(organizationId, () => recordForgotten(pledgeId, card));
  }
};

/** Claims the next charge of a period. */
export const claimPledgeCharge = ({ organizationId, pledgeId, period }: PledgeChargeInput): Promise<ChargeStep> =>
  inTenant(organizationId, () => claimCharge(pledgeId, Number(period)));

/** One charge of a period. */
export interface ChargeInput extends PledgeChargeInput {
  attemptId: string;
}

/**
 * Opens the charge and commits its id. If the provider has a captured charge of this pledge since the period was due,
 * which the rows of a restored backup do not know, that charge is recorded instead.
 */
export const openPledgeCharge = async (input: ChargeInput): Promise<'opened' | 'withdrawn' | 'over'> => {
  const charge = await chargeOf(input);
  if (charge.isWithdrawn) return 'withdrawn';
  if (await recordEarlierCharge(charge)) return 'over';
  return (await openAttemptCharge(charge)) === 'opened' ? 'opened' : 'over';
};

/** Captures the money, unless the pledge was paused or cancelled before. */
export const confirmPledgeCharge = async (input: ChargeInput): Promise<'not_captured' | 'over'> => {
  const charge = await chargeOf(input);
  const confirmed = await confirmAttemptCharge(charge);
  if (confirmed === 'captured') await recordCharge(charge);
  return confirmed === 'not_captured' ? 'not_captured' : 'over';
};

/** Cancels the charge at the provider. Money that it captured before is recorded. */
export const abandonPledgeCharge = async (input: ChargeInput): Promise<void> => {
  const charge = await chargeOf(input);
  if ((await abandonAttemptCharge(charge)) === 'captured') await recordCharge(charge);
};

/** A charge of a period, with its gift. */
interface PeriodCharge extends AttemptCharge, LoadedCharge {
  pledgeId: string;
}

async function chargeOf({ organizationId, pledgeId, period, attemptId }: ChargeInput): Promise<PeriodCharge> {
  const n = Number(period);
  const facts = await inTenant(organizationId, () => readChargeFacts(pledgeId, n), { readOnly: true });
  const { donationId, key } = facts;
  return {
    ...facts,
    organizationId,
    pledgeId,
    attemptId,
    load: () => inTenant(organizationId, () => loadCharge(pledgeId, attemptId), { readOnly: true }),
    referenceOf: ({ processorId }) => ({
      organization_id: organizationId,
      processor_id: processorId,
      donation_id: donationId,
      pledge_id: pledgeId,
      attempt_id: attemptId,
    }),
    openingKeyOf: () => key,
    isKept: true,
    mayConfirm: () => inTenant(organizationId, () => beginConfirming(pledgeId, n, attemptId)),
    decline: (failure) =>
      inTenant(organizationId, async () => {
        await lockDonation(donationId);
        await concludeAttempt({ attemptId }, { status: 'failed', ...failure });
      }),
  };
}

/**
 * Looks for a captured charge of this pledge since the period was due, and records it.
 * @returns whether there was one that no gift has recorded
 */
async function recordEarlierCharge(charge: PeriodCharge): Promise<boolean> {
  const { organizationId, pledgeId, dueAt } = charge;
  const attempt = await charge.load();
  if (attempt.status !== 'pending' || attempt.intentId) return false;
  const period = { from: new Date(dueAt.getTime() - CLOCK_SKEW_MS), to: new Date(Date.now() + CLOCK_SKEW_MS) };
  const found = await paymentPort(attempt.access).findCharge({ pledge_id: pledgeId }, period);
  const isKnown = found && (await inTenant(organizationId, () => isRecorded(attempt.processorId, found.intentId)));
  if (!found || isKnown) return false;
  await record(charge, attempt, found);
  return true;
}

/** Records the captured charge of an attempt: its gift is completed. */
async function recordCharge(charge: PeriodCharge): Promise<void> {
  const attempt = await charge.load();
  const state = await paymentPort(attempt.access).readCharge(intentOf(attempt));
  if (state.status !== 'captured') throw new OutcomeUnknown('The provider does not report the captured charge yet.');
  await record(charge, attempt, { ...state, currency: null });
}

const record = (
  { organizationId, donationId, attemptId }: PeriodCharge,
  { processorId }: Attempt,
  {
    intentId,
    capturedCents,
    capturedAt,
    currency,
  }: Omit<FoundCharge, 'reference' | 'currency'> & { currency: string | null },
): Promise<'recorded' | 'flagged'> =>
  inTenant(organizationId, () =>
    recordGiftCharge({
      processorId,
      intentId,
      donationId,
      amountCents: capturedCents,
      currency,
      capturedAt,
      attemptId,
    }),
  );
