import { issueCredit } from './issueCredit.js';
import { forwardRestoredCredit } from './moveCredit.js';
import { findRetainedCredit } from './revokeCredit.js';

/**
 * Restores credit that an unmatched payment was kept as, after a refund of that payment failed. Does nothing if the
 * payment was not kept as credit. The caller has recorded the failed refund.
 * @param leftCents the amount of the payment that the provider still holds, and the limit of the restored credit
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
