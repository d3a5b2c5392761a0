/** The charge object, and the money movements that it causes. */
import type Stripe from 'stripe';
import { newId } from '../state/identifiers.js';
import type { PaymentMethodRow } from '../state/types.js';
import { seconds, type Call } from '../wire/call.js';
import { testCard, type Decline } from './cards.js';
import type { Intent } from './intentRow.js';
import { subjectOf } from './intentRow.js';
import { idOf } from './rows.js';

const PERCENT_FEE = 0.029;
const FIXED_FEE = 30;
const DAYS_TO_AVAILABLE = 2;

function outcomeOf(decline: Decline | null): Stripe.Charge.Outcome {
  return {
    advice_code: decline ? decline.advice : null,
    network_advice_code: null,
    network_decline_code: decline ? '01' : null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline ? decline.declineCode : null,
    risk_level: 'normal',
    risk_score: 20,
    seller_message: decline ? `The bank returned the decline code \`${decline.declineCode}\`.` : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  };
}

/** Creates the charge of a payment intent on a card. If a decline is given, the charge is a failed one. */
export function newCharge(
  call: Call,
  intent: Intent,
  method: PaymentMethodRow,
  decline: Decline | null,
): Stripe.Charge {
  const { brand, last4 } = testCard(method.card);
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.value.billing_details,
    calculated_statement_descriptor: 'STANDIN',
    captured: false,
    created: seconds(call),
    currency: intent.currency,
    customer: idOf(intent.customer),
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: call.livemode,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid: decline === null,
    payment_intent: intent.id,
    payment_method: method.value.id,
    payment_method_details: {
      card: {
        amount_authorized: decline ? null : intent.amount,
        authorization_code: null,
        brand,
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
        country: 'US',
        electronic_commerce_indicator: null,
        exp_month: method.value.card?.exp_month ?? 12,
        exp_year: method.value.card?.exp_year ?? 2099,
        fingerprint: method.value.card?.fingerprint ?? null,
        funding: 'credit',
        installments: null,
        last4,
        mandate: null,
        network: brand,
        network_transaction_id: null,
        regulated_status: 'unregulated',
        three_d_secure: null,
        transaction_link_id: null,
        wallet: null,
      },
      type: 'card',
    },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
}

export function putCharge(call: Call, charge: Stripe.Charge): Stripe.Charge {
  call.store.put('charge', charge.id, { account: call.account, value: charge });
  return charge;
}

/** Writes the balance transaction of incoming (positive) or outgoing (negative) money. */
export function putBalanceTransaction(
  call: Call,
  type: 'charge' | 'refund' | 'refund_failure' | 'adjustment' | 'payout',
  source: string,
  amount: number,
  currency: string,
  fee = type === 'charge' ? Math.round(amount * PERCENT_FEE) + FIXED_FEE : 0,
): string {
  const created = seconds(call);
  const value: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: created + DAYS_TO_AVAILABLE * 86_400,
    balance_type: 'payments',
    created,
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [{ amount: fee, application: null, currency, description: 'Processing fees', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: type === 'adjustment' ? (amount < 0 ? 'dispute' : 'dispute_reversal') : type,
    source,
    status: 'pending',
    type,
  };
  call.store.put('balance_transaction', value.id, { account: call.account, value });
  return value.id;
}

/** Records a money movement in the ledger. */
export function noteMovement(
  call: Call,
  kind: 'capture' | 'refund',
  intent: Intent,
  charge: string,
  amount: number,
): void {
  const { remittanceId, donationId } = subjectOf(intent);
  call.store.put('ledger', newId('mov', 16), {
    kind,
    payment_intent: intent.id,
    charge,
    remittance_id: remittanceId,
    donation_id: donationId,
    idempotency_key: call.idempotencyKey,
    amount_cents: amount,
    at: new Date(call.now()).toISOString(),
  });
}
