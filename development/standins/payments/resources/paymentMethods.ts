/** Payment methods, which are created from test tokens. */
import type Stripe from 'stripe';
import { newId } from '../state/identifiers.js';
import type { PaymentMethodRow } from '../state/types.js';
import { ok, seconds, type Call, type Handler } from '../wire/call.js';
import { ApiError, docUrl, invalidRequest, noSuch } from '../wire/errors.js';
import { metadataFrom } from '../wire/metadata.js';
import type { Parameters } from '../wire/parameters.js';
import { cardNameOf, testCard, type Decline } from './cards.js';
import { emit } from './emit.js';
import { LIST_PARAMETERS, listReply } from './lists.js';
import { findRow, idOf, pathRow, requireRow } from './rows.js';

const NO_DETAILS = { address: null, email: null, name: null, phone: null, tax_id: null };

function makeMethod(call: Call, cardName: string, metadata: Record<string, string> = {}): PaymentMethodRow {
  const { brand, last4 } = testCard(cardName);
  const value: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: NO_DETAILS,
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: 12,
      exp_year: new Date(call.now()).getUTCFullYear() + 3,
      fingerprint: `standin${last4}`,
      funding: 'credit',
      generated_from: null,
      last4,
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: seconds(call),
    customer: null,
    customer_account: null,
    livemode: call.livemode,
    metadata,
    type: 'card',
  };
  const row: PaymentMethodRow = { account: call.account, value, card: cardName, spent: false };
  call.store.put('payment_method', value.id, row);
  return row;
}

/** Returns the account's payment method with this id. A test token becomes a new payment method. */
export function resolveMethod(call: Call, id: string, param?: string): PaymentMethodRow {
  const row = findRow(call, 'payment_method', id);
  if (row) return row;
  const card = cardNameOf(id);
  if (id.startsWith('pm_card_') && card !== undefined) return makeMethod(call, card);
  throw noSuch('PaymentMethod', id, param);
}

/**
 * Returns a payment method from `type=card` and `card[token]`. Card numbers are refused, because they must never reach
 * a server.
 */
export function methodFromData(call: Call, data: Parameters): PaymentMethodRow {
  if (data.required('type') !== 'card') throw invalidRequest('Only cards are accepted.', { param: data.name('type') });
  const card = data.map('card');
  if (card?.has('number')) {
    throw invalidRequest('Sending card numbers directly to the API is unsafe. Send a token.', {
      param: card.name('number'),
    });
  }
  const param = `${data.name('card')}[token]`;
  const token = card?.string('token');
  if (token === undefined)
    throw invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  const name = token.startsWith('tok_') ? cardNameOf(token) : undefined;
  if (name === undefined) throw noSuch('token', token, param);
  return makeMethod(call, name, metadataFrom(data));
}

/** Attaches the card to the customer. */
export function attachMethod(call: Call, row: PaymentMethodRow, customer: string): PaymentMethodRow {
  const attached = { ...row, value: { ...row.value, customer } };
  call.store.put('payment_method', row.value.id, attached);
  emit(call, 'payment_method.attached', attached.value, null);
  return attached;
}

/** POST /v1/payment_methods */
export const createMethod: Handler = (call) => {
  call.params.only(['type', 'card', 'billing_details', 'metadata', 'allow_redisplay', 'expand']);
  return ok(methodFromData(call, call.params).value);
};

/** GET /v1/payment_methods/:id */
export const retrieveMethod: Handler = (call) => ok(resolveMethod(call, call.ids[0] ?? '').value);

/** POST /v1/payment_methods/:id/attach */
export const attach: Handler = (call) => {
  call.params.only(['customer', 'expand']);
  const customer = requireRow(call, 'customer', call.params.required('customer'), 'customer').value.id;
  const row = resolveMethod(call, call.ids[0] ?? '');
  const currentCustomer = idOf(row.value.customer);
  if (currentCustomer === customer) return ok(row.value);
  if (currentCustomer !== null)
    throw invalidRequest('The payment method you provided has already been attached to a customer.');
  const verdict = testCard(row.card).attach;
  if (verdict !== 'approve') throw attachDeclined(verdict);
  return ok(attachMethod(call, row, customer).value);
};

function attachDeclined(decline: Decline): ApiError {
  const { code, declineCode: decline_code, message } = decline;
  return new ApiError(402, { type: 'card_error', code, decline_code, message, doc_url: docUrl(code) }, true);
}

/** Detaches a card from its customer. It cannot be charged any more. */
export function detachMethod(call: Call, row: PaymentMethodRow): PaymentMethodRow {
  const detached: PaymentMethodRow = { ...row, spent: true, value: { ...row.value, customer: null } };
  call.store.put('payment_method', row.value.id, detached);
  emit(call, 'payment_method.detached', detached.value, null);
  return detached;
}

/** POST /v1/payment_methods/:id/detach */
export const detach: Handler = (call) => {
  call.params.only(['expand']);
  const row = pathRow(call, 'payment_method');
  if (row.value.customer === null) {
    throw invalidRequest('The payment method you provided is not attached to a customer so detachment is impossible.');
  }
  return ok(detachMethod(call, row).value);
};

/** GET /v1/payment_methods and GET /v1/customers/:id/payment_methods */
export const listMethods: Handler = (call) => {
  call.params.only([...LIST_PARAMETERS, 'customer', 'type', 'allow_redisplay']);
  const fromPath = call.ids[0];
  const customer = fromPath ?? call.params.string('customer');
  if (customer !== undefined) requireRow(call, 'customer', customer, fromPath === undefined ? 'customer' : undefined);
  const type = call.params.string('type');
  const url = fromPath === undefined ? '/v1/payment_methods' : `/v1/customers/${fromPath}/payment_methods`;
  return listReply(call, url, call.store.all('payment_method'), (method) => {
    const owner = idOf(method.customer);
    const isOwnerMatch = customer === undefined ? owner !== null : owner === customer;
    return isOwnerMatch && (type === undefined || method.type === type);
  });
};
