/** Applies what happens to a gift to its pledge. The gift, and its pledge if it has one, are locked. */
import { changeRow, computed } from '../../database/model/change.js';
import { loadIfExists, loadRow } from '../../database/model/read.js';
import { Donation } from '../donations/Donation.js';
import { Donor } from '../donations/Donor.js';
import { findOpenPeriod, lockPledgeForStep, wakeCharge, wakePledge } from './lockPledge.js';
import { requestNotice } from './notices.js';
import { PledgePeriod } from './PledgePeriod.js';
import { RecurringPledge } from './RecurringPledge.js';
import { readReturn, requestReturn } from './returnLateCharge.js';
import { startPledge } from './startPledge.js';

/**
 * Applies a completed gift: it starts a pledge, or pays a period. If the pledge was cancelled before, the refund is
 * requested in the same transaction. A gift of an erased donor starts no pledge. The donor is locked.
 * @param wasAccepted whether an administrator accepted another amount than that of the gift. The donor did not agree to
 * give this amount again, so it starts no pledge.
 */
export async function followCompletedGift(donationId: string, captureId: string, wasAccepted: boolean): Promise<void> {
  const gift = await loadRow(Donation, donationId);
  if (gift.pledge_id) return payPeriod(gift, gift.pledge_id);
  if (!gift.recurring_interval || wasAccepted) return;
  const { erased_at } = await loadRow(Donor, gift.donor_id);
  if (erased_at === null) await startPledge(donationId, captureId);
}

async function payPeriod(gift: Donation, pledgeId: string): Promise<void> {
  const pledge = await lockPledgeForStep(pledgeId);
  const paid = {
    status: 'paid',
    missed_reason: null,
    next_try_at: null,
    // The clock, not the start of the transaction, which may have waited for a cancellation.
    closed_at: computed('clock_timestamp()'),
  } as const;
  const period = await changeRow(PledgePeriod, { donation_id: gift.id }, paid);
  const isSettled = pledge.status === 'past_due' && !(await findOpenPeriod(pledgeId));
  await changeRow(RecurringPledge, pledgeId, {
    last_charged_at: gift.charged_at,
    missed_in_a_row: 0,
    ...(isSettled && { status: 'active' }),
  });
  if (pledge.status === 'cancelled') {
    await requestReturn(gift.id);
    await requestNotice(pledgeId, 'returned', gift.period);
  }
  await wakePledge(pledgeId);
  // While the process confirms a charge, it finds out itself.
  if (period && !period.confirming_at) await wakeCharge(period);
}

/** Tells the process of a period that money of its gift went back, if the process waits for that. */
export async function followReturnedGift(donationId: string): Promise<void> {
  const period = await loadIfExists(PledgePeriod, { donation_id: donationId });
  if (period && period.n > 0 && (await readReturn(donationId)) === 'returned') await wakeCharge(period);
}
