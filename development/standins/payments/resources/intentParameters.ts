/**
 * The parameters that each payment intent operation accepts. A request with any other parameter is refused with an
 * error that names it.
 */

const SHARED = [
  'allowed_payment_method_types',
  'amount_details',
  'capture_method',
  'excluded_payment_method_types',
  'expand',
  'hooks',
  'payment_details',
  'payment_method',
  'payment_method_data',
  'payment_method_options',
  'payment_method_types',
  'receipt_email',
  'setup_future_usage',
  'shipping',
];

const CONFIRMING = [
  'confirmation_token',
  'error_on_requires_action',
  'mandate',
  'mandate_data',
  'off_session',
  'radar_options',
  'return_url',
  'use_stripe_sdk',
];

const DESCRIBING = [
  'amount',
  'application_fee_amount',
  'currency',
  'customer',
  'customer_account',
  'description',
  'metadata',
  'payment_method_configuration',
  'statement_descriptor',
  'statement_descriptor_suffix',
  'transfer_data',
  'transfer_group',
];

export const CREATE_PARAMETERS = [
  ...SHARED,
  ...CONFIRMING,
  ...DESCRIBING,
  'automatic_payment_methods',
  'confirm',
  'confirmation_method',
  'on_behalf_of',
];
export const CONFIRM_PARAMETERS = [...SHARED, ...CONFIRMING, 'amount_to_confirm'];
export const UPDATE_PARAMETERS = [...SHARED, ...DESCRIBING];
export const CANCEL_PARAMETERS = ['cancellation_reason', 'expand'];
