import { donationPage, hostedPage } from '../../../workflows/contracts/index.js';
import { LOOK_SIGNAL } from '../../../workflows/contracts/hostedPage.js';
import { enqueue } from '../../database/outbox.js';

/**
 * Signals the workflow of a hosted page to check at once whether the page has ended or the payer has approved the
 * payment.
 */
export async function requestPageLook(page: { id: string; isForDonation: boolean }): Promise<void> {
  await enqueue(page.isForDonation ? donationPage : hostedPage, { attemptId: page.id }, { signal: LOOK_SIGNAL });
}
