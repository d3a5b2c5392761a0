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
   * Called when the payment attempt of a gift has ended, so that the gift's page can no longer be paid; in the same
   * transaction. The gift is locked.
   */
  donationPageOver(ended: { donationId: string; failureCode: string | null }): Promise<void>;
}

export const financesUpstream = lateBound<FinancesUpstream>('finances');
