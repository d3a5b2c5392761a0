import { lockForEdit } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { invalid, refuse } from '../../errors.js';
import { hasPendingRefund, lockCapture, requestCaptureRefund } from '../../finances/captures/resolveUnmatched.js';
import { financesErrors } from '../../finances/errors.js';
import { foundationErrors } from '../errors.js';
import { lockPledge } from '../pledges/lockPledge.js';
import { cancelPledge } from '../pledges/movePledge.js';
import { Donation, type DonationMethod } from './Donation.js';
import { returnOfflineGift } from './recordOfflineGift.js';

/**
 * Requests the refund of all that remains of a gift. The refund is complete only when the provider reports its result;
 * if it failed, another can be requested. The refund of an offline gift is recorded at once.
 * @param cancelsPledge whether the pledge of the gift is cancelled as well, unless it is already
 * @returns the id of the refund, and whether it is complete
 * @throws Refusal not_found, validation_error for a gift without a pledge, donation_not_refundable, already_refunded,
 *   refund_in_progress
 */
export async function refundGift(
  donationId: string,
  { reason, cancelsPledge = false }: { reason: string; cancelsPledge?: boolean },
): Promise<{ id: string; isComplete: boolean }> {
  const charge = await firstRow<{ capture_id: string | null; method: DonationMethod }>(
    `SELECT e.capture_id, d.method FROM donations d
       LEFT JOIN donation_entries e ON e.organization_id = d.organization_id AND e.donation_id = d.id AND e.kind = 'received'
      WHERE d.organization_id = $1 AND d.id = $2`,
    [currentOrganization(), donationId],
  );
  if (!charge) throw refuse.not_found();
  if (charge.method !== 'card') {
    if (cancelsPledge) await cancelPledgeOf(donationId);
    return refundOfflineGift(donationId, reason);
  }
  if (!charge.capture_id) throw foundationErrors.donation_not_refundable();
  // The capture first, then the pledge and the gift: all transactions lock in this order.
  const capture = await lockCapture(charge.capture_id);
  if (cancelsPledge) await cancelPledgeOf(donationId);
  const gift = await lockForEdit(Donation, donationId);
  if (await hasPendingRefund(capture.id))
    throw financesErrors.refund_in_progress('A refund of this gift is pending. Wait until its outcome is known.');
  if (gift.status === 'refunded') throw foundationErrors.already_refunded();
  return { id: await requestCaptureRefund(capture, reason), isComplete: false };
}

async function refundOfflineGift(donationId: string, reason: string): Promise<{ id: string; isComplete: boolean }> {
  const gift = await lockForEdit(Donation, donationId);
  if (gift.status === 'refunded') throw foundationErrors.already_refunded();
  return { id: await returnOfflineGift(gift, reason), isComplete: true };
}

/** Cancels the pledge of a gift, unless it is cancelled already. @throws Refusal validation_error */
async function cancelPledgeOf(donationId: string): Promise<void> {
  const { pledge_id } = await loadRow(Donation, donationId);
  if (!pledge_id) throw invalid('cancel_pledge', 'This gift belongs to no pledge.');
  const pledge = await lockPledge(pledge_id);
  if (pledge.status !== 'cancelled') await cancelPledge(pledge_id, { by: 'admin' });
}
