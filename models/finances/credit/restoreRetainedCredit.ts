import { issueCredit } from './issueCredit.js';
import { forwardRestoredCredit } from './moveCredit.js';
import { findRetainedCredit } from './revokeCredit.js';

/**
 * Gives a payer credit back when the refund of an unmatched payment failed. The payment had been kept as credit, and
 * the refund had taken that credit away. Does nothing if the payment was not kept as credit. The caller has recorded
 * the failed refund.
 * @param leftCents the amount of the payment that the provider still holds; the credit is not restored beyond it
 */
export async function restoreRetainedCredit(captureId: string, leftCents: number): Promise<void> {
  const retained = await findRetainedCredit(captureId);
  if (!retained || retained.cents >= leftCents) return;
  const { chapterId, membershipId, resolutionId, cents } = retained;
  const payer = { chapterId, membershipId };
  await issueCredit({
    payer,
    amountCents: leftCents - cents,
    reason: 'A refund of the payment that it came from did not arrive.',
    resolutionId,
  });
  await forwardRestoredCredit(payer, { paymentId: null, invoiceId: null, resolutionId }, leftCents - cents);
}
