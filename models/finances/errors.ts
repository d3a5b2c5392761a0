import { translateConstraints } from '../database/constraints.js';
import { defineErrors } from '../errors.js';

/** Errors of dues, invoices and credit. */
export const financesErrors = defineErrors({
  processor_already_active: [409, 'This organization has an active payment processor. Disable it first.'],
  webhook_secret_in_use: [
    409,
    'This webhook secret is already in use. Create a new secret at the payment provider and send that one.',
  ],
  payment_already_resolved: [
    409,
    'This payment needs no decision: it is already accepted, refunded or kept as credit.',
  ],
  payment_being_refunded: [409, 'A refund of this payment is pending. Wait until its outcome is known.'],
  payment_other_currency: [409, 'This payment is in another currency than the invoices. Refund it.'],
  processor_other_account: [
    409,
    'This key belongs to a different provider account than the existing charges. Connect the account of this key as a new processor.',
  ],
  rate_exists: [409, 'This term already has a rate for this status.'],
  override_exists: [
    409,
    'This chapter already has a billing override that starts in this term. Change the existing override.',
  ],
  dues_run_in_progress: [409, 'A dues run of this term is already in progress. Wait until it has ended.'],
  nothing_to_issue: [
    409,
    'There is nothing to issue: every member and chapter billed in this term already has an invoice.',
  ],
  invoice_not_regenerable: [409, 'Only invoices for recurring dues that are not paid in full can be reissued.'],
  billing_mode_changed: [
    409,
    'This invoice cannot be reissued, because the billing mode of its chapter has changed. Void the invoice, then issue the missing invoices with a dues run.',
  ],
  refund_in_progress: [409, 'A refund of this invoice is pending. Wait until its outcome is known.'],
  invoice_void: [409, 'This invoice is void, so this action is not possible.'],
  invoice_being_paid: [409, 'A payment of this invoice is pending. Wait until its outcome is known.'],
  nothing_due: [409, 'No reminder can be sent, because nothing is due on this invoice.'],
  invoice_frozen: [
    409,
    'A request to pay this invoice in installments is pending. No reminders are sent until it is decided or the freeze ends.',
  ],
  invoice_disputed: [
    409,
    'A payment of this invoice is disputed with the bank. No reminders are sent until the dispute is decided.',
  ],
  already_reminded: [409, 'The payer of this invoice was already reminded today.'],
  own_invoice: [403, 'You cannot do this for your own invoice. Ask an administrator.'],
  amounts_hidden: [
    403,
    'You cannot do this, because officers of this organization do not see amounts. Ask an administrator to do it.',
  ],
  nothing_to_refund: [
    409,
    'Nothing of this invoice can be refunded: nothing was paid, it was already refunded, or it became credit.',
  ],
  refund_exceeds_refundable: [409, 'The requested amount is more than can be refunded. Send a smaller amount.'],
  refund_request_pending: [
    409,
    'You have already requested a refund of this invoice. Wait for the decision, or withdraw the request.',
  ],
  discount_voided: [409, 'This discount is already void.'],
  not_in_good_standing: [409, 'This membership is not in good standing: it has no invoice yet, or one is overdue.'],
  too_many_standing_proofs: [409, 'This membership already has ten active proofs of good standing. Revoke one first.'],
  credit_not_available: [409, 'The payer does not have enough credit.'],
  credit_refund_in_progress: [409, 'A refund of this payer’s credit is pending. Wait until its outcome is known.'],
  credit_refund_unimplemented: [422, 'Credit cannot be refunded through this payment provider yet. Refund it by hand.'],
  export_limit: [409, 'Three exports of this organization are in progress. Wait for one of them, or cancel one.'],
  export_over: [409, 'This export has already ended, so it cannot be cancelled.'],
  export_under_way: [409, 'This export cannot be started again: it is running, or its file is ready for download.'],
  documents_under_way: [
    409,
    'Three of your documents are already being created. Wait until one is ready, then request this one again.',
  ],
  document_too_long: [
    400,
    'This receipt has too many lines for one document. Read the lines in the explanation of the invoice instead.',
  ],
  check_running: [409, 'A ledger check of this organization is already running. Wait until it has ended.'],
  credit_already_reversed: [409, 'This credit entry is already reversed.'],
});

translateConstraints({
  credit_covered: () => financesErrors.credit_not_available(),
  invoice_overpaid_not_negative: () => financesErrors.credit_not_available(),
  credit_backed: () => financesErrors.credit_not_available(),
  refund_within_captured: () => financesErrors.refund_exceeds_refundable(),
  invoice_money_within_total: () => financesErrors.credit_not_available(),
  credits_reversed_once: () => financesErrors.credit_already_reversed(),
});
