import { issueCredit } from './issueCredit.js';
import { forwardRestoredCredit } from './moveCredit.js';
import { findRetainedCredit } from './revokeCredit.js';

/**
 * Restores retained credit after a refund of its payment failed, up to the amount that the provider holds. Does nothing
 * where the payment was not kept as credit. The caller has recorded the failed refund. @param leftCents the amount that
 * the provider holds
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
