import {
  type DonationRefundInput,
  type DonationRefundOutcome,
  donationRefund as entry,
} from './contracts/donationRefund.js';
import { refundUntilOver } from './refundUntilOver.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/** Refunds the payment of a gift, once. */
export const donationRefund = (input: DonationRefundInput): Promise<DonationRefundOutcome> =>
  refundUntilOver(input, stage);
