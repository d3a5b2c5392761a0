import {
  giveBackPayment as entry,
  type RefundUnmatchedPaymentInput,
  type RefundUnmatchedPaymentOutcome,
} from './contracts/refundUnmatchedPayment.js';
import { refundUntilOver } from './refundUntilOver.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/** Refunds an unmatched payment, once. */
export const giveBackPayment = (input: RefundUnmatchedPaymentInput): Promise<RefundUnmatchedPaymentOutcome> =>
  refundUntilOver(input, stage);
