import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { type AttemptEnd, concludePageCharge } from '../attempts/concludeAttempt.js';
import { type ExpectedCharge, financesUpstream } from '../upstream.js';
import { findCapture } from './ProcessorCapture.js';

/** Money that a processor took for one gift. */
export interface GiftCharge {
  processorId: string;
  intentId: string;
  donationId: string;
  amountCents: number;
  /** ISO 4217 code in lower case; null if the processor does not report the currency. */
  currency: string | null;
  capturedAt: Date | null;
  /** The attempt that the charge's reference names. */
  attemptId: string | null;
}

/**
 * Records the charge for a gift once, although both its webhook event and the workflow of its page report it. A charge
 * with another amount or currency, or for a gift that is already paid, is flagged.
 * @throws Refusal not_found when this tenant has no such gift
 */
export async function recordGiftCharge(charge: GiftCharge): Promise<'recorded' | 'flagged'> {
  // Lock the gift first, then its attempt and its new capture: all transactions lock in this order.
  const expected = requireFound(await financesUpstream().lockDonation(charge.donationId));
  const isExpected = isAsExpected(charge, expected);
  const captureId = await insertCapture(charge, isExpected);
  if (captureId === null) {
    const known = await findCapture(charge.processorId, charge.intentId);
    const outcome = known?.disposition === 'recorded' ? 'recorded' : 'flagged';
    await concludeFor(charge, outcome);
    return outcome;
  }
  const outcome = isExpected ? 'recorded' : 'flagged';
  await concludeFor(charge, outcome);
  if (!isExpected) await auditFlag(charge, captureId, expected);
  await financesUpstream().donationCaptured({ donationId: charge.donationId, captureId });
  return outcome;
}

const isAsExpected = ({ amountCents, currency }: GiftCharge, expected: ExpectedCharge): boolean =>
  !expected.isPaid && amountCents === expected.amountCents && (currency === null || currency === expected.currency);

/**
 * Inserts the capture of the charge.
 * @returns its id; null if the capture is already recorded
 */
async function insertCapture(charge: GiftCharge, isExpected: boolean): Promise<string | null> {
  const inserted = await firstRow<{ id: string }>(
    `INSERT INTO processor_captures (organization_id, processor_id, intent_id, donation_id, amount_cents, currency, disposition, captured_at)
     VALUES ($1, $2, $3, $4, $5, substring($6 FROM '^[a-z]{3}$'), $7, $8)
     ON CONFLICT ON CONSTRAINT captures_intent_unique DO NOTHING RETURNING id`,
    [
      currentOrganization(),
      charge.processorId,
      charge.intentId,
      charge.donationId,
      charge.amountCents,
      charge.currency,
      isExpected ? 'recorded' : 'flagged',
      charge.capturedAt,
    ],
  );
  return inserted?.id ?? null;
}

const ENDS = { recorded: 'succeeded', flagged: 'flagged' } as const satisfies Record<string, AttemptEnd['status']>;

const concludeFor = (charge: GiftCharge, outcome: keyof typeof ENDS): Promise<void> =>
  concludePageCharge(charge, { donation_id: charge.donationId }, ENDS[outcome]);

const auditFlag = (
  { donationId, intentId, amountCents }: GiftCharge,
  captureId: string,
  expected: ExpectedCharge,
): Promise<void> =>
  audit({
    action: 'capture.flagged',
    subjectType: 'processor_capture',
    subjectId: captureId,
    after: {
      processor_payment_id: intentId,
      donation: donationId,
      amount_cents: amountCents,
      expected_cents: expected.amountCents,
      gift_is_paid: expected.isPaid,
    },
  });
