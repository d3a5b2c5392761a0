/**
 * Declares the functions of the foundation that finances calls. The foundation is a layer above finances, so finances
 * does not import it; `models/wireAreas.ts` binds the functions.
 */
import { lateBound } from '../lateBinding.js';

/** The amount and currency that a charge for a gift must have. */
export interface ExpectedCharge {
  amountCents: number;
  /** ISO 4217, lower case. */
  currency: string;
  /** Whether another charge has already paid the gift. */
  isPaid: boolean;
}

/** A captured charge, and the gift that it was made for. */
interface CaptureOfDonation {
  donationId: string;
  captureId: string;
}

interface FinancesUpstream {
  /**
   * Locks a gift. Called before an attempt or a new capture of the gift is written.
   * @returns null when the tenant has no such gift
   */
  lockDonation(donationId: string): Promise<ExpectedCharge | null>;
  /** Called when a capture was recorded, in the same transaction. The gift is locked. */
  donationCaptured(captured: CaptureOfDonation): Promise<void>;
  /** Called when a payment on a gift's page was declined, in the transaction that records it. */
  donationDeclined(declined: { donationId: string; failureCode: string | null }): Promise<void>;
  /**
   * Called when the refunded amount or the flag of a capture has changed, in the same transaction. The capture is
   * locked.
   */
  donationReturned(returned: CaptureOfDonation): Promise<void>;
  /**
   * Called when an attempt has ended without a payment, in the same transaction: its page can no longer be paid, or its
   * charge took nothing. The gift is locked.
   */
  donationPageOver(ended: { donationId: string; attemptId: string; failureCode: string | null }): Promise<void>;
  /**
   * Called when a payer has entered a card on the page of a gift, in the transaction that records the payment.
   * @returns whether the card is needed; if not, the caller has it deleted at the provider
   */
  donationCardKept(kept: { donationId: string; processorId: string; keptCard: string }): Promise<boolean>;
  /** Called when a charge of a gift is disputed, in the transaction that records the dispute. The capture is locked. */
  donationDisputed(disputed: { donationId: string }): Promise<void>;
}

export const financesUpstream = lateBound<FinancesUpstream>('finances');
