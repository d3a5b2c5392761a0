import { donationPage } from '../../../workflows/contracts/index.js';
import { createRow } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { PaymentAttempt } from './PaymentAttempt.js';

/** A hosted page for a gift. */
interface DonationPage {
  donationId: string;
  processorId: string;
  amountCents: number;
  currency: string;
  /** Name of the item on the page. */
  description: string;
  /** Where the provider sends the donor after paying, and after giving up. */
  doneUrl: string;
  cancelUrl: string;
  /** Whether the provider keeps the card for later charges. */
  keepsCard: boolean;
  /** The pledge whose period the page pays. */
  pledgeId?: string;
}

/** Creates the attempt to pay a gift, whose workflow opens the page. @returns the id of the attempt */
export async function openDonationPage(page: DonationPage): Promise<string> {
  const attempt = await createRow(PaymentAttempt, {
    donation_id: page.donationId,
    processor_id: page.processorId,
    amount_cents: page.amountCents,
    currency: page.currency,
    page_description: page.description,
    page_done_url: page.doneUrl,
    page_cancel_url: page.cancelUrl,
    page_keeps_card: page.keepsCard,
    ...(page.pledgeId && { pledge_id: page.pledgeId }),
  });
  await enqueue(donationPage, { attemptId: attempt.id });
  return attempt.id;
}
