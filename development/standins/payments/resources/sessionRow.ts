/** The checkout session object and its line items. */
import type Stripe from 'stripe';
import { newId } from '../state/identifiers.js';
import { seconds, type Call } from '../wire/call.js';
import { invalidRequest, noSuch } from '../wire/errors.js';
import { currencyFrom } from '../wire/money.js';
import type { Parameters } from '../wire/parameters.js';

export type Session = Stripe.Checkout.Session;

/** The fields of a new session. */
export interface SessionFields {
  amount: number;
  currency: string;
  success_url: string | null;
  cancel_url: string | null;
  expires_at: number;
  metadata: Record<string, string>;
  customer: string | null;
  customer_email: string | null;
  client_reference_id: string | null;
  customer_creation: 'always' | 'if_required';
  url: (id: string) => string;
}

/** Returns a new open session that is not stored yet. */
export function newSession(call: Call, fields: SessionFields): Session {
  const id = newId(call.livemode ? 'cs_live' : 'cs_test', 58);
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: fields.amount,
    amount_total: fields.amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: fields.cancel_url,
    client_reference_id: fields.client_reference_id,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: seconds(call),
    currency: fields.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: fields.customer,
    customer_account: null,
    customer_creation: fields.customer_creation,
    customer_details: null,
    customer_email: fields.customer_email,
    discounts: [],
    expires_at: fields.expires_at,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: call.livemode,
    locale: null,
    managed_payments: null,
    metadata: fields.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: fields.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: fields.url(id),
    wallet_options: null,
  };
}

/** Returns one line item of the session, with an inline price. */
export function lineItemFrom(call: Call, item: Parameters): Stripe.LineItem {
  item.only(['price', 'price_data', 'quantity', 'adjustable_quantity', 'metadata', 'tax_rates']);
  const price = item.string('price');
  if (price !== undefined) throw noSuch('price', price, item.name('price'));
  const data = item.map('price_data');
  if (!data) {
    const param = item.name('price_data');
    throw invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }
  data.only(['currency', 'product', 'product_data', 'tax_behavior', 'unit_amount']);
  const currency = currencyFrom(data);
  data.required('unit_amount');
  const unitAmount = data.integer('unit_amount', 0) ?? 0;
  const quantity = item.integer('quantity', 1) ?? 1;
  const total = unitAmount * quantity;
  return {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency,
    description: data.map('product_data')?.required('name') ?? data.required('product'),
    metadata: {},
    price: priceOf(call, currency, unitAmount),
    quantity,
  };
}

function priceOf(call: Call, currency: string, unitAmount: number): Stripe.Price {
  const price = {
    id: newId('price'),
    object: 'price',
    active: false,
    billing_scheme: 'per_unit',
    created: seconds(call),
    currency,
    custom_unit_amount: null,
    livemode: call.livemode,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: newId('prod', 14),
    recurring: null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'one_time',
    unit_amount: unitAmount,
    unit_amount_decimal: String(unitAmount),
  };
  // The cast is needed because `unit_amount_decimal` is text in JSON, while the SDK's type describes its parsed form.
  return price as unknown as Stripe.Price;
}
