/** Declares the functions that finances needs of the foundation above it. `models/wireAreas.ts` binds them. */
import { lateBound } from '../lateBinding.js';

/** What a gift expects of a charge. */
export interface ExpectedCharge {
  amountCents: number;
  /** ISO 4217, lower case. */
  currency: string;
  /** Another charge has paid the gift. */
  isPaid: boolean;
}

/** A capture that was made for a gift. */
interface CaptureOfDonation {
  donationId: string;
  captureId: string;
}

interface FinancesUpstream {
  /** Locks a gift before its attempt or a new capture of it. @returns null when the tenant has no such gift */
  lockDonation(donationId: string): Promise<ExpectedCharge | null>;
  /** Called in the transaction that records the capture. The gift is locked. */
  donationCaptured(captured: CaptureOfDonation): Promise<void>;
  /** Called in the transaction that learns of a declined payment on the page of a gift. */
  donationDeclined(declined: { donationId: string; failureCode: string | null }): Promise<void>;
  /** Called in the transaction that changed the refunded amount or the flag of a capture, which is locked. */
  donationReturned(returned: CaptureOfDonation): Promise<void>;
  /** Called in the transaction that ended the attempt: the page can no longer be paid. The gift is locked. */
  donationPageOver(ended: { donationId: string; failureCode: string | null }): Promise<void>;
}

export const financesUpstream = lateBound<FinancesUpstream>('finances');
