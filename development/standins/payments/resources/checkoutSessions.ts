/** Checkout sessions: hosted pages on which payers pay. */
import type { SessionRow, Subject } from '../state/types.js';
import { ok, seconds, type Call, type Handler } from '../wire/call.js';
import { invalidRequest, refusedByState } from '../wire/errors.js';
import { metadataFrom } from '../wire/metadata.js';
import { checkAmount } from '../wire/money.js';
import { emit } from './emit.js';
import { createdFilter, LIST_PARAMETERS, listReply, pageOf } from './lists.js';
import { subjectIn } from './intentRow.js';
import { cancelIntent } from './paymentIntents.js';
import { idOf, pathRow, requireRow } from './rows.js';
import { lineItemFrom, newSession, type Session } from './sessionRow.js';

const MAX_SECONDS = 86_400;
const MIN_SECONDS = 1800;

const CREATE_PARAMETERS = [
  'allowed_payment_method_types',
  'automatic_tax',
  'billing_address_collection',
  'cancel_url',
  'client_reference_id',
  'customer',
  'customer_creation',
  'customer_email',
  'expand',
  'expires_at',
  'line_items',
  'locale',
  'metadata',
  'mode',
  'payment_intent_data',
  'payment_method_options',
  'payment_method_types',
  'phone_number_collection',
  'submit_type',
  'success_url',
  'ui_mode',
];

const INTENT_PARAMETERS = [
  'capture_method',
  'description',
  'metadata',
  'receipt_email',
  'setup_future_usage',
  'statement_descriptor',
  'statement_descriptor_suffix',
];

function expiryFrom(call: Call): number {
  const now = seconds(call);
  const expiry = call.params.integer('expires_at', 0) ?? now + MAX_SECONDS;
  // The limits have a minute of tolerance, because the caller read its clock earlier.
  if (expiry >= now + MIN_SECONDS - 60 && expiry <= now + MAX_SECONDS + 60) return expiry;
  throw invalidRequest('expires_at must lie between 30 minutes and 24 hours from now.', { param: 'expires_at' });
}

function checkModes(call: Call): void {
  const mode = call.params.choice('mode', ['payment', 'setup', 'subscription']) ?? 'payment';
  if (mode !== 'payment') throw invalidRequest('Only the mode payment is offered here.', { param: 'mode' });
  const page = call.params.choice('ui_mode', ['hosted_page', 'hosted', 'embedded_page', 'elements', 'form']);
  if (page !== undefined && !page.startsWith('hosted')) {
    throw invalidRequest('Only the hosted page is offered here.', { param: 'ui_mode' });
  }
}

/** POST /v1/checkout/sessions */
export const createSession: Handler = (call) => {
  call.params.only(CREATE_PARAMETERS);
  checkModes(call);
  const lineItems = call.params.maps('line_items').map((item) => lineItemFrom(call, item));
  const currency = lineItems[0]?.currency;
  if (currency === undefined) {
    throw invalidRequest('Missing required param: line_items.', { code: 'parameter_missing', param: 'line_items' });
  }
  if (lineItems.some((item) => item.currency !== currency)) {
    throw invalidRequest('All line items must have the same currency.', { param: 'line_items' });
  }
  const total = lineItems.reduce((sum, item) => sum + item.amount_total, 0);
  const data = call.params.map('payment_intent_data');
  data?.only(INTENT_PARAMETERS);
  const customer = call.params.string('customer');
  const session = newSession(call, {
    amount: checkAmount(total, currency, 'line_items'),
    currency,
    success_url: call.params.required('success_url'),
    cancel_url: call.params.string('cancel_url') ?? null,
    expires_at: expiryFrom(call),
    metadata: metadataFrom(call.params),
    customer: customer === undefined ? null : requireRow(call, 'customer', customer, 'customer').value.id,
    customer_email: call.params.string('customer_email') ?? null,
    client_reference_id: call.params.string('client_reference_id') ?? null,
    customer_creation: call.params.choice('customer_creation', ['always', 'if_required']) ?? 'if_required',
    url: (id) => `${call.url()}/c/pay/${id}`,
  });
  const intent: SessionRow['intent'] = {
    metadata: metadataFrom(data),
    description: data?.string('description') ?? null,
    capture_method:
      data?.choice('capture_method', ['automatic', 'automatic_async', 'manual']) === 'manual' ? 'manual' : 'automatic',
    setup_future_usage:
      data?.choice<'on_session' | 'off_session'>('setup_future_usage', ['on_session', 'off_session']) ?? null,
  };
  call.store.put('session', session.id, { account: call.account, value: session, lineItems, intent });
  return ok(session);
};

/**
 * Returns what a session pays for (a remittance or a gift). The ids may be in the metadata of the session or of its
 * payment intent.
 */
export const sessionSubject = (row: SessionRow): Subject =>
  subjectIn({ ...row.value.metadata, ...row.intent.metadata });

/** GET /v1/checkout/sessions/:id */
export const retrieveSession: Handler = (call) => ok(expireWhenDue(call, pathRow(call, 'session')).value);

/** GET /v1/checkout/sessions/:id/line_items */
export const listLineItems: Handler = (call) => {
  call.params.only(LIST_PARAMETERS);
  const { value, lineItems } = pathRow(call, 'session');
  return ok({ object: 'list', url: `/v1/checkout/sessions/${value.id}/line_items`, ...pageOf(call, lineItems) });
};

/** POST /v1/checkout/sessions/:id/expire */
export const expireSession: Handler = (call) => {
  call.params.only(['expand']);
  const row = expireWhenDue(call, pathRow(call, 'session'));
  if (row.value.status !== 'open') {
    throw refusedByState(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${row.value.status}.`,
    );
  }
  return ok(endSession(call, row).value);
};

/**
 * Expires an open session whose expiry time has passed. There is no timer; this check runs whenever a session is used.
 */
export function expireWhenDue(call: Call, row: SessionRow): SessionRow {
  const due = row.value.status === 'open' && row.value.expires_at <= seconds(call);
  return due ? endSession(call, row) : row;
}

function endSession(call: Call, row: SessionRow): SessionRow {
  const intentId = idOf(row.value.payment_intent);
  const intent = intentId === null ? undefined : call.store.get('payment_intent', intentId);
  if (intent && !['succeeded', 'canceled'].includes(intent.value.status)) cancelIntent(call, intent.value, 'automatic');
  const expired: Session = { ...row.value, status: 'expired', url: null };
  const ended = { ...row, value: expired };
  call.store.put('session', expired.id, ended);
  emit(call, 'checkout.session.expired', expired, sessionSubject(row));
  return ended;
}

/** GET /v1/checkout/sessions */
export const listSessions: Handler = (call) => {
  call.params.only([...LIST_PARAMETERS, 'created', 'customer', 'customer_details', 'payment_intent', 'status']);
  const created = createdFilter(call);
  const [customer, intent, status] = ['customer', 'payment_intent', 'status'].map((name) => call.params.string(name));
  return listReply(call, '/v1/checkout/sessions', call.store.all('session'), (session) => {
    const ofCustomer = customer === undefined || idOf(session.customer) === customer;
    const ofIntent = intent === undefined || session.payment_intent === intent;
    return created(session) && ofCustomer && ofIntent && (status === undefined || session.status === status);
  });
};
