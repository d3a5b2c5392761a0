/** The payment intent object: creation and storage. */
import type Stripe from 'stripe';
import { newId, randomText } from '../state/identifiers.js';
import type { Subject } from '../state/types.js';
import { seconds, type Call } from '../wire/call.js';

export type Intent = Stripe.PaymentIntent;

/** The fields of a new intent. */
export interface IntentFields {
  amount: number;
  currency: string;
  customer?: string | null;
  description?: string | null;
  metadata: Record<string, string>;
  capture_method: 'automatic' | 'manual';
  payment_method?: string | null;
  automatic_payment_methods?: Intent['automatic_payment_methods'];
  receipt_email?: string | null;
  setup_future_usage?: string | null;
}

/** Returns a new intent that is not stored yet. */
export function newIntent(call: Call, fields: IntentFields): Intent {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: fields.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: fields.automatic_payment_methods ?? null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: fields.capture_method,
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: seconds(call),
    currency: fields.currency,
    customer: fields.customer ?? null,
    customer_account: null,
    description: fields.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: call.livemode,
    managed_payments: null,
    metadata: fields.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: fields.payment_method ?? null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: fields.receipt_email ?? null,
    review: null,
    setup_future_usage: fields.setup_future_usage ?? null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
}

export function putIntent(call: Call, intent: Intent): Intent {
  call.store.put('payment_intent', intent.id, { account: call.account, value: intent });
  return intent;
}

/** Returns the ids of the remittance, gift and pledge that a payment with this metadata is for. */
export const subjectIn = (metadata: Record<string, string> | null | undefined): Subject => ({
  remittanceId: metadata?.['remittance_id'] ?? null,
  donationId: metadata?.['donation_id'] ?? null,
  pledgeId: metadata?.['pledge_id'] ?? null,
});

/** Returns what a payment intent is for: a remittance or a gift. */
export const subjectOf = (intent: Intent): Subject => subjectIn(intent.metadata);
