import { lockForEdit } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { hasPendingRefund, lockCapture, requestCaptureRefund } from '../../finances/captures/resolveUnmatched.js';
import { financesErrors } from '../../finances/errors.js';
import { foundationErrors } from '../errors.js';
import { Donation } from './Donation.js';

/**
 * Requests the refund of all that remains of a gift. The refund is complete only when the provider reports its result;
 * if it failed, another can be requested.
 * @returns the id of the refund
 * @throws Refusal not_found, donation_not_refundable, already_refunded, refund_in_progress
 */
export async function refundGift(donationId: string, reason: string): Promise<string> {
  const charge = await firstRow<{ capture_id: string | null }>(
    `SELECT e.capture_id FROM donations d
       LEFT JOIN donation_entries e ON e.organization_id = d.organization_id AND e.donation_id = d.id AND e.kind = 'received'
      WHERE d.organization_id = $1 AND d.id = $2`,
    [currentOrganization(), donationId],
  );
  if (!charge) throw refuse.not_found();
  if (!charge.capture_id) throw foundationErrors.donation_not_refundable();
  // The capture first, then the gift: all transactions lock in this order.
  const capture = await lockCapture(charge.capture_id);
  const gift = await lockForEdit(Donation, donationId);
  if (await hasPendingRefund(capture.id))
    throw financesErrors.refund_in_progress('A refund of this gift is pending. Wait until its outcome is known.');
  if (gift.status === 'refunded') throw foundationErrors.already_refunded();
  return requestCaptureRefund(capture, reason);
}
