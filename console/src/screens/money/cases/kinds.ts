import type { CaseRow } from './queries';

type Kind = CaseRow['kind'];

export const KINDS: Readonly<Record<Kind, string>> = {
  refund_unknown: 'Refund of a charge for several invoices',
  dispute_unallocated: 'Dispute that belongs to no known invoice',
  remittance_flagged: 'Charge that paid no invoice',
  refund_bounced: 'Refund that the bank returned',
  manual_refund_due: 'Credit to refund by hand',
  captured_not_recorded: 'Captured, but not recorded here',
  recorded_not_captured: 'Recorded here, but not captured',
  amount_differs: 'Amounts differ',
  other: 'Other movement on a charge',
};

/** Advice to the person who decides a case, by its kind. */
export const ADVICE: Readonly<Record<Kind, string>> = {
  refund_unknown: 'A part of the charge was refunded at the provider itself. Find out whose it was, and allocate it.',
  dispute_unallocated: 'A dispute withdrew a part of the charge, or credit that was spent. Allocate it to invoices.',
  remittance_flagged: 'Resolve the remittance. The case then closes itself.',
  refund_bounced:
    'A bank returned the money of a refund: the invoice counts as paid. Refund it again, or reach the payer otherwise and close the case.',
  manual_refund_due:
    'A former member has credit that came from no charge, or whose refund was refused. Refund it by hand.',
  captured_not_recorded:
    'The provider captured a charge that cannot be recorded here. Look up at the provider what it is for.',
  recorded_not_captured:
    'The provider does not know the charge of a recorded payment. Find out which account captured it, and void or refund what was not paid.',
  amount_differs:
    'The remaining amounts of the charge differ. Compare its refunds and disputes with the page of the provider.',
  other: 'The provider has moved money of a charge in a way that has no record here. Ask the provider.',
};

export const RESOLUTIONS: Readonly<Record<NonNullable<CaseRow['resolution']>, string>> = {
  allocated: 'Allocated to invoices',
  corrected: 'Corrected elsewhere',
  accepted: 'Accepted as it is',
  agreed: 'Closed itself: nothing is left to decide',
};
