import { translateConstraints } from '../../database/constraints.js';
import { defineErrors } from '../../errors.js';

/** On these endpoints 400 means that nothing happened; 409 that money moved, or may yet. */
export const remittanceErrors = defineErrors({
  allocation_stale: [400, 'A share is more than is still due. Load the invoices again.'],
  invoice_reserved: [400, 'An invoice is waiting for the outcome of another payment.'],
  payment_processor_required: [400, 'This organization has no payment processor that is active.'],
  payment_declined: [400, 'The card was declined. Nothing was charged.'],
  payment_failed: [400, 'The payment could not be made. Nothing was charged.'],
  remittance_in_progress: [
    409,
    'A payment is on its way and its outcome is not known yet. Do not pay again; look at the remittance.',
  ],
  remittance_needs_reconciliation: [
    409,
    'The card was charged, but no member was credited. Do not pay again; resolve the remittance.',
  ],
  remittance_already_settled: [409, 'This remittance is settled already.'],
  proposal_stale: [409, 'Something has changed since this was proposed. Look at the proposal again.'],
  money_unplaced: [
    409,
    'No open invoice can take all of the money. Give back what is unplaced first, or name the invoices yourself.',
  ],
  nothing_unplaced: [409, 'Open invoices can take all of the money: there is nothing to give back.'],
  remittance_not_flagged: [409, 'There is nothing to resolve on this remittance.'],
});

translateConstraints({
  allocations_reserved_unique: () => remittanceErrors.invoice_reserved(),
});
