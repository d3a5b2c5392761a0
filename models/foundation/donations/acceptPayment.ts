import { changeRow } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { invalid, requireFound } from '../../errors.js';
import { acceptCapture, lockUnresolved } from '../../finances/captures/resolveUnmatched.js';
import { financesErrors } from '../../finances/errors.js';
import { foundationErrors } from '../errors.js';
import { Donation } from './Donation.js';
import { feeCentsOf } from './fees.js';
import { followCapture, lockDonation } from './followCaptures.js';

/**
 * Accepts a payment whose amount differs from the amount of its gift. The captured amount becomes the amount of the
 * gift, the fee is computed again, and the gift is completed.
 * @throws Refusal not_found, payment_already_resolved, payment_being_refunded, payment_without_gift, gift_already_paid,
 * payment_other_currency, validation_error
 */
export async function acceptPayment(captureId: string, note: string): Promise<void> {
  const capture = await lockUnresolved('foundation', captureId);
  const { donation_id: donationId, amount_cents } = capture;
  if (!donationId) throw foundationErrors.payment_without_gift();
  requireFound(await lockDonation(donationId));
  const gift = await loadRow(Donation, donationId);
  if (gift.charged_at) throw foundationErrors.gift_already_paid();
  if (capture.currency !== null && capture.currency !== gift.currency)
    throw financesErrors.payment_other_currency(
      'This payment cannot be accepted, because it is in another currency than the gift. Refund the payment.',
    );
  const fee_cents = feeCentsOf(amount_cents);
  if (amount_cents - fee_cents < 1)
    throw invalid(
      'resolution',
      'This payment cannot be accepted, because nothing would remain after the fee. Refund the payment.',
    );
  await changeRow(Donation, { id: donationId }, { amount_cents, fee_cents });
  await acceptCapture(capture, note);
  await followCapture({ donationId, captureId });
}
