/** Attempts to pay a gift, for the foundation: the pending one, and charges of a kept card. */
import { createRow } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { PaymentAttempt } from './PaymentAttempt.js';

/** The pending attempt of a gift. A gift has at most one. */
interface PendingAttempt {
  id: string;
  /** Whether the donor pays on a page; otherwise a kept card is charged. */
  hasPage: boolean;
  isClosing: boolean;
  /** Whether the charge is known to exist at the provider. */
  isOpened: boolean;
}

export async function findPendingAttempt(donationId: string): Promise<PendingAttempt | null> {
  const attempt = await loadIfExists(PaymentAttempt, { donation_id: donationId, status: 'pending' });
  return (
    attempt && {
      id: attempt.id,
      hasPage: attempt.has_page === true,
      isClosing: attempt.closing_since !== null,
      isOpened: attempt.intent_id !== null,
    }
  );
}

/** A charge of the card that a pledge keeps. */
interface KeptCardCharge {
  id: string;
  donationId: string;
  pledgeId: string;
  processorId: string;
  amountCents: number;
  currency: string;
}

/** Creates the attempt of a charge. The process of the pledge opens and confirms it. */
export async function createKeptCardCharge(charge: KeptCardCharge): Promise<void> {
  await createRow(PaymentAttempt, {
    id: charge.id,
    donation_id: charge.donationId,
    pledge_id: charge.pledgeId,
    processor_id: charge.processorId,
    amount_cents: charge.amountCents,
    currency: charge.currency,
  });
}
