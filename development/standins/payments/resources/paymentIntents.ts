/** Payment intents: create, confirm, update and cancel. */
import { ok, seconds, type Call, type Handler } from '../wire/call.js';
import { invalidRequest, refusedByState } from '../wire/errors.js';
import { metadataFrom } from '../wire/metadata.js';
import { checkAmount, currencyFrom } from '../wire/money.js';
import { putCharge } from './chargeRow.js';
import { checkOwner, confirmIntent, type Confirmation } from './confirm.js';
import { emit } from './emit.js';
import { CANCEL_PARAMETERS, CONFIRM_PARAMETERS, CREATE_PARAMETERS, UPDATE_PARAMETERS } from './intentParameters.js';
import { newIntent, putIntent, subjectOf, type Intent, type IntentFields } from './intentRow.js';
import { methodFromData, resolveMethod } from './paymentMethods.js';
import { idOf, pathRow, requireRow } from './rows.js';

const CHANGEABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
const CANCELABLE = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
  'processing',
];
const REASONS = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const;

function amountFrom(call: Call, currency: string): number | undefined {
  const amount = call.params.integer('amount', 1);
  return amount === undefined ? undefined : checkAmount(amount, currency, 'amount');
}

function customerFrom(call: Call): string | null {
  const id = call.params.string('customer');
  return id === undefined ? null : requireRow(call, 'customer', id, 'customer').value.id;
}

/** Returns the payment method of the request; a test token becomes a new payment method. */
function methodFrom(call: Call): Confirmation['method'] {
  const data = call.params.map('payment_method_data');
  if (data) return methodFromData(call, data);
  const id = call.params.string('payment_method');
  return id === undefined ? null : resolveMethod(call, id, 'payment_method');
}

function confirmationFrom(call: Call, method: Confirmation['method']): Confirmation {
  return {
    method,
    returnUrl: call.params.string('return_url') ?? null,
    offSession: call.params.string('off_session') === 'true',
    errorOnAction: call.params.boolean('error_on_requires_action') ?? false,
  };
}

function automaticMethods(call: Call): Intent['automatic_payment_methods'] {
  const automatic = call.params.map('automatic_payment_methods');
  automatic?.only(['enabled', 'allow_redirects']);
  // If the request contains no payment method types, automatic payment methods are enabled: the gateway then chooses
  // the types.
  const chosen = call.params.has('payment_method_types') || call.params.has('allowed_payment_method_types');
  if (!(automatic?.boolean('enabled') ?? !chosen)) return null;
  return { allow_redirects: automatic?.choice('allow_redirects', ['always', 'never']) ?? 'always', enabled: true };
}

/** POST /v1/payment_intents */
export const createIntent: Handler = (call) => {
  call.params.only(CREATE_PARAMETERS);
  if (!call.params.has('amount')) call.params.required('amount');
  const currency = currencyFrom(call.params);
  const amount = amountFrom(call, currency) ?? 0;
  const confirm = call.params.boolean('confirm') ?? false;
  const fields: IntentFields = {
    amount,
    currency,
    customer: customerFrom(call),
    description: call.params.string('description') ?? null,
    metadata: metadataFrom(call.params),
    capture_method:
      call.params.choice('capture_method', ['automatic', 'automatic_async', 'manual']) === 'manual'
        ? 'manual'
        : 'automatic',
    automatic_payment_methods: automaticMethods(call),
    receipt_email: call.params.string('receipt_email') ?? null,
    setup_future_usage: call.params.choice('setup_future_usage', ['on_session', 'off_session']) ?? null,
  };
  const method = methodFrom(call);
  if (confirm && method === null) {
    const message = "You cannot confirm this PaymentIntent because it's missing a payment method.";
    throw invalidRequest(message, { code: 'parameter_missing', param: 'payment_method' });
  }
  if (method) checkOwner(method, fields.customer ?? null);
  const intent = putIntent(call, newIntent(call, { ...fields, payment_method: method?.value.id ?? null }));
  emit(call, 'payment_intent.created', intent, subjectOf(intent));
  return confirm ? confirmIntent(call, intent, confirmationFrom(call, method)) : ok(intent);
};

/** POST /v1/payment_intents/:id/confirm */
export const confirm: Handler = (call) => {
  call.params.only(CONFIRM_PARAMETERS);
  const { value } = pathRow(call, 'payment_intent');
  return confirmIntent(call, value, confirmationFrom(call, methodFrom(call)));
};

/** GET /v1/payment_intents/:id */
export const retrieveIntent: Handler = (call) => ok(pathRow(call, 'payment_intent').value);

/** POST /v1/payment_intents/:id */
export const updateIntent: Handler = (call) => {
  call.params.only(UPDATE_PARAMETERS);
  const { value } = pathRow(call, 'payment_intent');
  const metadata = metadataFrom(call.params, value.metadata);
  const description = call.params.has('description') ? (call.params.string('description') ?? null) : value.description;
  const money = ['amount', 'currency', 'customer', 'payment_method'].find((name) => call.params.has(name));
  if (money === undefined) return ok(putIntent(call, { ...value, description, metadata }));
  if (!CHANGEABLE.includes(value.status)) {
    const message = `This PaymentIntent's ${money} could not be updated because it has a status of ${value.status}.`;
    throw refusedByState(message, { code: 'payment_intent_unexpected_state', param: money, payment_intent: value });
  }
  const currency = call.params.has('currency') ? currencyFrom(call.params) : value.currency;
  const method = methodFrom(call);
  const changed: Intent = {
    ...value,
    amount: amountFrom(call, currency) ?? value.amount,
    currency,
    customer: call.params.has('customer') ? customerFrom(call) : idOf(value.customer),
    description,
    metadata,
    ...(method && { payment_method: method.value.id, status: 'requires_confirmation', next_action: null }),
  };
  return ok(putIntent(call, changed));
};

/** POST /v1/payment_intents/:id/cancel */
export const cancel: Handler = (call) => {
  call.params.only(CANCEL_PARAMETERS);
  const reason = call.params.choice('cancellation_reason', REASONS) ?? null;
  const { value } = pathRow(call, 'payment_intent');
  if (!CANCELABLE.includes(value.status)) {
    throw refusedByState(
      `You cannot cancel this PaymentIntent because it has a status of ${value.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${CANCELABLE.join(', ')}.`,
      { code: 'payment_intent_unexpected_state', payment_intent: value },
    );
  }
  const ownedBySession = call.store.all('session').some((row) => row.value.payment_intent === value.id);
  if (ownedBySession && value.status !== 'requires_capture') {
    const message =
      'You cannot cancel this PaymentIntent because a Checkout Session owns it. Expire the session instead.';
    throw refusedByState(message, { code: 'payment_intent_unexpected_state', payment_intent: value });
  }
  return ok(cancelIntent(call, value, reason));
};

/** Cancels an intent. An uncaptured authorization is released. */
export function cancelIntent(call: Call, intent: Intent, reason: Intent['cancellation_reason']): Intent {
  const charge =
    intent.status === 'requires_capture' ? call.store.get('charge', idOf(intent.latest_charge) ?? '') : null;
  if (charge) putCharge(call, { ...charge.value, amount_refunded: charge.value.amount, refunded: true });
  const canceled = putIntent(call, {
    ...intent,
    amount_capturable: 0,
    canceled_at: seconds(call),
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  });
  emit(call, 'payment_intent.canceled', canceled, subjectOf(canceled));
  return canceled;
}
