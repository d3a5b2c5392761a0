import { translateConstraints } from '../../database/constraints.js';
import { defineErrors } from '../../errors.js';

/**
 * Errors of remittances. On these endpoints 400 means that no money moved; 409 means that money moved or may still
 * move.
 */
export const remittanceErrors = defineErrors({
  allocation_stale: [400, 'An allocation exceeds the balance of its invoice. Load the invoices again.'],
  invoice_reserved: [
    400,
    'One of these invoices is already being paid. Wait until the outcome of that payment is known.',
  ],
  payment_processor_required: [
    400,
    'No payment is possible, because this organization has no active payment processor. An administrator must connect one first.',
  ],
  payment_declined: [400, 'The card was declined. Nothing was charged.'],
  payment_failed: [400, 'The payment could not be made. Nothing was charged.'],
  remittance_in_progress: [
    409,
    'A payment is pending and its outcome is not known yet. Do not pay again; check the remittance.',
  ],
  remittance_needs_reconciliation: [
    409,
    'The card was charged, but no invoice was paid. Do not pay again; resolve the remittance.',
  ],
  remittance_already_settled: [409, 'This remittance is already settled.'],
  proposal_stale: [409, 'The data has changed since the proposal. Load the proposal again.'],
  money_unplaced: [
    409,
    'The charged amount is more than the open invoices need. Refund the excess first, or choose the invoices yourself.',
  ],
  nothing_unplaced: [409, 'There is nothing to refund: the charged amount is not more than the open invoices need.'],
  remittance_not_flagged: [409, 'This remittance has no problem to resolve.'],
});

translateConstraints({
  allocations_reserved_unique: () => remittanceErrors.invoice_reserved(),
});
