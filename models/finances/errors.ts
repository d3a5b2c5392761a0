import { translateConstraints } from '../database/constraints.js';
import { defineErrors } from '../errors.js';

/** Refusals of dues, invoices and credit. */
export const financesErrors = defineErrors({
  processor_already_active: [409, 'This organization has an active payment processor. Disable it first.'],
  webhook_secret_in_use: [409, 'This webhook secret is in use. Make another one at the provider.'],
  payment_already_resolved: [409, 'This payment was given back or kept already.'],
  payment_being_refunded: [409, 'This payment is being given back.'],
  payment_other_currency: [409, 'This is money of another currency than that of the invoices here. Give it back.'],
  processor_other_account: [
    409,
    'This key opens another account than the one that the charges were made with. Connect it as a processor of its own.',
  ],
  rate_exists: [409, 'This term has a rate for this status already.'],
  override_exists: [409, 'This chapter has an override from this term already.'],
  dues_run_in_progress: [409, 'A run of this term is under way.'],
  nothing_to_issue: [409, 'Everybody who is billed in this term has an invoice already.'],
  invoice_not_regenerable: [409, 'Only recurring dues that are not paid in full yet are issued anew.'],
  billing_mode_changed: [
    409,
    'Chapter and members are billed in another way now. Void this invoice, and issue what is missing with a dues run.',
  ],
  refund_in_progress: [409, 'A refund of this invoice is on its way. Wait until its outcome is known.'],
  invoice_void: [409, 'This invoice is void.'],
  invoice_being_paid: [409, 'A payment of this invoice is on its way. Wait until its outcome is known.'],
  nothing_due: [409, 'Nothing is due on this invoice.'],
  invoice_frozen: [
    409,
    'A request to pay this invoice by instalments waits: nobody is reminded until it is decided, or its time is over.',
  ],
  invoice_disputed: [
    409,
    'A payment of this invoice is disputed with the bank: nobody is reminded until that is decided.',
  ],
  already_reminded: [409, 'Whoever pays this invoice was reminded of it today.'],
  own_invoice: [403, 'Nobody does this with an invoice of their own: an administrator does.'],
  amounts_hidden: [403, 'Officers do not see amounts in this organization: an administrator does this.'],
  nothing_to_refund: [
    409,
    'Nothing of this invoice can be given back: nothing was paid, it went back already, or it became credit.',
  ],
  refund_exceeds_refundable: [409, 'This is more than can be given back.'],
  refund_request_pending: [
    409,
    'You have asked for a refund of this invoice already. Wait for the decision, or withdraw it.',
  ],
  discount_voided: [409, 'This discount was voided already.'],
  not_in_good_standing: [409, 'This is proven only of whoever has been billed and is not behind.'],
  too_many_standing_proofs: [409, 'Ten proofs of this membership can be seen already. Take one back first.'],
  credit_not_available: [409, 'There is not enough credit for this.'],
  credit_refund_in_progress: [409, 'Credit of this payer is on its way back already. Wait until it is known.'],
  credit_refund_unimplemented: [
    422,
    'Credit cannot be given back through this payment provider yet. Give it back by hand.',
  ],
  export_limit: [409, 'Three exports of this organization are under way. Wait for one of them, or cancel it.'],
  export_over: [409, 'This export is over.'],
  export_under_way: [409, 'This export is under way, or has its file.'],
  documents_under_way: [409, 'Three documents of yours are being drawn. Wait for one of them.'],
  document_too_long: [400, 'This receipt has more lines than one document holds. Its explanation has all of them.'],
  credit_already_reversed: [409, 'This credit entry was reversed already.'],
});

translateConstraints({
  credit_covered: () => financesErrors.credit_not_available(),
  invoice_overpaid_not_negative: () => financesErrors.credit_not_available(),
  credit_backed: () => financesErrors.credit_not_available(),
  refund_within_captured: () => financesErrors.refund_exceeds_refundable(),
  invoice_money_within_total: () => financesErrors.credit_not_available(),
  credits_reversed_once: () => financesErrors.credit_already_reversed(),
});
