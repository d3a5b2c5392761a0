import { issueCredit } from './issueCredit.js';
import { followCredit } from './moveCredit.js';
import { keptCredit } from './takeBackCredit.js';

/**
 * Makes money that was kept, given back and came back its payer's credit again, up to what is left of the money; does
 * nothing where none was kept. Goes after the refund's failure is written. @param leftCents what the provider holds of it
 */
export async function restoreKeptCredit(captureId: string, leftCents: number): Promise<void> {
  const kept = await keptCredit(captureId);
  if (!kept || kept.cents >= leftCents) return;
  const { chapterId, membershipId, resolutionId, cents } = kept;
  const payer = { chapterId, membershipId };
  await issueCredit({
    payer,
    amountCents: leftCents - cents,
    reason: 'A refund of the payment that it came from did not arrive.',
    keptBy: resolutionId,
  });
  await followCredit(payer, { paymentId: null, invoiceId: null, resolutionId }, leftCents - cents);
}
