/** Steps of the processes of pledges. Each step reads the rows again and may run any number of times. */
import type { FoundCharge } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import { type Attempt, recordCapture } from '../../models/finances/attempts/attempt.js';
import { concludeAttempt } from '../../models/finances/attempts/concludeAttempt.js';
import { recordGiftCharge } from '../../models/finances/captures/recordGiftCharge.js';
import { lockDonation } from '../../models/foundation/donations/followCaptures.js';
import { beginConfirming, claimCharge, type ChargeStep } from '../../models/foundation/pledges/claimCharge.js';
import {
  followPledge as followRow,
  type PledgeStep,
  readSleepingPledge,
} from '../../models/foundation/pledges/followPledge.js';
import { readCardsToForget, recordForgotten } from '../../models/foundation/pledges/keptCard.js';
import {
  type ChargeFacts,
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
  openAttemptCharge,
} from '../finances/chargeSteps.js';

/** The provider's clock may differ from the database's clock by some minutes. */
const CLOCK_SKEW_MS = 600_000;

/** Reads a pledge, and opens its period when it is due. */
export const followPledge = async ({ organizationId, pledgeId }: RecurringPledgeInput): Promise<PledgeStep> =>
  (await readSleepingPledge(organizationId, pledgeId)) ?? inTenant(organizationId, () => followRow(pledgeId));

/** Has the provider delete the cards that the pledge no longer uses. Deleting a card again changes nothing. */
export const forgetPledgeCards = async ({ organizationId, pledgeId }: RecurringPledgeInput): Promise<void> => {
  const { access, cards } = await inTenant(organizationId, () => readCardsToForget(pledgeId), { readOnly: true });
  for (const card of cards) {
    await paymentPort(access).forgetCard(card.card);
    await inTenant(organizationId, () => recordForgotten(pledgeId, card));
  }
};

/** The next step of the process of a period. `abandon`: cancel the charge of this attempt. */
export type PeriodStep = ChargeStep | { abandon: string };

/** Claims the next charge of a period, if one is due, and makes it. */
export const chargePeriod = async (input: PledgeChargeInput): Promise<PeriodStep> => {
  const claimed = await claim(input);
  if (!('attemptId' in claimed)) return claimed;
  const { attemptId } = claimed;
  if ((await chargeOnce({ ...input, attemptId })) === 'not_captured') return { abandon: attemptId };
  return claim(input);
};

const claim = ({ organizationId, pledgeId, period }: PledgeChargeInput): Promise<ChargeStep> =>
  inTenant(organizationId, () => claimCharge(pledgeId, Number(period)));

/** One charge of a period. */
export interface ChargeInput extends PledgeChargeInput {
  attemptId: string;
}

/**
 * Charges the card once: opens the charge and commits its id, reads the pledge again under its lock, and captures the
 * money. If the provider has a captured charge of this pledge since the period was due, which the rows of a restored
 * backup do not know, that charge is recorded instead.
 * @returns `not_captured` if the pledge was paused or cancelled before, or the card was declined
 */
async function chargeOnce(input: ChargeInput): Promise<'not_captured' | 'over'> {
  const charge = await chargeOf(input);
  if (charge.isWithdrawn) return 'not_captured';
  if ((await openAttemptCharge(charge)) !== 'opened') return 'over';
  return (await confirmAttemptCharge(charge)) === 'not_captured' ? 'not_captured' : 'over';
}

/** Cancels the charge at the provider. Money that it captured before is recorded. */
export const abandonPledgeCharge = async (input: ChargeInput): Promise<void> => {
  await abandonAttemptCharge(await chargeOf(input));
};

/** A charge of a period. */
interface PeriodCharge extends AttemptCharge {
  isWithdrawn: boolean;
}

async function chargeOf({ organizationId, pledgeId, period, attemptId }: ChargeInput): Promise<PeriodCharge> {
  const n = Number(period);
  const facts = await inTenant(organizationId, () => readChargeFacts(pledgeId, n), { readOnly: true });
  const { donationId, key } = facts;
  return {
    isWithdrawn: facts.isWithdrawn,
    organizationId,
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
    recordUnknownCharge: async (attempt) => {
      const found = await findUnknownCharge(organizationId, pledgeId, facts, attempt);
      return found && ENDS[await inTenant(organizationId, () => record(donationId, attempt, found))];
    },
    recordCaptured: (attempt, state) =>
      inTenant(organizationId, async () => {
        await record(donationId, attempt, { ...state, currency: null });
        await recordCapture(attemptId, state.capturedCents);
      }),
    decline: (failure) =>
      inTenant(organizationId, async () => {
        await lockDonation(donationId);
        await concludeAttempt({ attemptId }, { status: 'failed', ...failure });
      }),
  };
}

const ENDS = { recorded: 'succeeded', flagged: 'flagged' } as const;

/** Looks for a captured charge of this pledge since the period was due, that no gift has recorded. */
async function findUnknownCharge(
  organizationId: string,
  pledgeId: string,
  { dueAt }: ChargeFacts,
  { access, processorId }: Attempt,
): Promise<FoundCharge | null> {
  const period = { from: new Date(dueAt.getTime() - CLOCK_SKEW_MS), to: new Date(Date.now() + CLOCK_SKEW_MS) };
  const found = await paymentPort(access).findCharge({ pledge_id: pledgeId }, period);
  const isKnown = found && (await inTenant(organizationId, () => isRecorded(processorId, found.intentId)));
  return isKnown ? null : found;
}

/** Records the captured charge of an attempt: its gift is completed. */
const record = (
  donationId: string,
  { id: attemptId, processorId }: Attempt,
  {
    intentId,
    capturedCents: amountCents,
    capturedAt,
    currency,
  }: Pick<FoundCharge, 'intentId' | 'capturedCents' | 'capturedAt'> & { currency: string | null },
): Promise<'recorded' | 'flagged'> =>
  recordGiftCharge({ processorId, intentId, donationId, amountCents, currency, capturedAt, attemptId });
