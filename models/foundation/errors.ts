import { defineErrors } from '../errors.js';

/** Errors of the foundation: its configuration, campaigns, gifts and receipts. */
export const foundationErrors = defineErrors({
  foundation_not_configured: [404, 'This organization has no foundation yet.'],
  currency_in_use: [409, 'The currency cannot change after the first gift.'],
  last_foundation_admin: [409, 'A foundation needs at least one admin. Appoint another one first.'],
  not_in_organization: [409, 'This person has no access to this organization. Choose a person who can sign in to it.'],
  foundation_incomplete: [
    409,
    'Before a campaign is published, the foundation needs a legal name, an EIN, a mailing address and a payment processor.',
  ],
  invalid_campaign_transition: [409, 'This campaign cannot change from its current status to the requested one.'],
  bulletin_not_editable: [409, 'This bulletin is being sent or was sent, so it cannot be changed any more.'],
  invalid_bulletin_transition: [409, 'This bulletin cannot change from its current status to the requested one.'],
  receipt_not_valid: [409, 'This receipt is no longer valid. Only a valid receipt can be mailed again.'],
  receipt_mail_waiting: [409, 'The mail with this receipt is already on its way.'],
  no_receipts_due: [409, 'Every donor of this year already has an annual receipt.'],
  annual_receipts_in_progress: [
    409,
    'Annual receipts of this year are being issued. Wait until that run has ended, and preview again.',
  ],
  donor_name_corrected: [409, 'The foundation has corrected your name. Ask the foundation to change it.'],
  donor_link_invalid: [409, 'This link was used before, or is older than 15 minutes.'],
  recurring_not_supported: [422, 'This foundation cannot take recurring gifts. Give once.'],
  invalid_pledge_transition: [409, 'This pledge cannot change from its current status to the requested one.'],
  gift_being_charged: [409, 'This gift is being charged at the moment. Look again in a few minutes.'],
  pledges_depend_on_processor: [
    409,
    'Pledges are charged through this account, which keeps the cards of their donors. Cancel them first.',
  ],
  fee_cover_mismatch: [
    400,
    'If the donor covers the fee, the amount must be exactly the base amount plus the fee. The error of `amount_cents` gives the right amount.',
  ],
  fee_pass_through_off: [
    400,
    'This foundation does not let donors cover the fee. Send the gift without `covers_fees`.',
  ],
  too_many_failed_payments: [429, 'Too many payments were declined. Try again in an hour.'],
  payment_page_refused: [400, 'The payment provider refused this payment. Nothing was charged.'],
  donation_not_refundable: [409, 'This gift is not paid, so there is nothing to refund.'],
  already_refunded: [409, 'This gift is already refunded.'],
  donor_erased: [409, 'This donor was erased and can no longer be changed.'],
  gift_already_paid: [
    409,
    'This payment cannot be accepted, because another payment has already paid the gift. Refund this payment, not the other one.',
  ],
  payment_without_gift: [409, 'This payment cannot be accepted, because it belongs to no gift. Refund the payment.'],
  campaign_not_open: [409, 'This campaign does not accept gifts at the moment.'],
});
