/** Confirming an intent: the card is charged, is declined, or requires authentication. */
import type { PaymentMethodRow } from '../state/types.js';
import { ok, type Call, type Reply } from '../wire/call.js';
import { docUrl, invalidRequest, refusedByState, type ErrorBody } from '../wire/errors.js';
import { AUTHENTICATION_REQUIRED, testCard, type Decline } from './cards.js';
import { captureCharge } from './capture.js';
import { newCharge, putCharge } from './chargeRow.js';
import { emit } from './emit.js';
import { putIntent, subjectOf, type Intent } from './intentRow.js';
import { attachMethod } from './paymentMethods.js';
import { idOf, requireRow } from './rows.js';

const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export interface Confirmation {
  method: PaymentMethodRow | null;
  returnUrl: string | null;
  offSession: boolean;
  errorOnAction: boolean;
}

/**
 * Confirms a stored intent.
 * @returns the response: the intent, or the decline
 */
export function confirmIntent(call: Call, intent: Intent, confirmation: Confirmation): Reply {
  checkConfirmable(intent);
  const method = confirmation.method ?? storedMethod(call, intent);
  checkOwner(method, idOf(intent.customer));
  const verdict = testCard(method.card).charge;
  if (verdict === 'approve') return approve(call, intent, method);
  if (verdict !== 'authenticate') return declineCharge(call, intent, method, verdict);
  const isHolderAbsent = confirmation.offSession || confirmation.errorOnAction;
  return isHolderAbsent
    ? declineCharge(call, intent, method, AUTHENTICATION_REQUIRED)
    : requireAction(call, intent, method, confirmation.returnUrl);
}

function checkConfirmable(intent: Intent): void {
  if (CONFIRMABLE.includes(intent.status)) return;
  const reason =
    intent.status === 'succeeded'
      ? 'it has already succeeded after being previously confirmed'
      : `it has a status of ${intent.status}`;
  throw refusedByState(`You cannot confirm this PaymentIntent because ${reason}.`, {
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  });
}

function storedMethod(call: Call, intent: Intent): PaymentMethodRow {
  const id = idOf(intent.payment_method);
  if (id !== null) return requireRow(call, 'payment_method', id, 'payment_method');
  throw refusedByState("You cannot confirm this PaymentIntent because it's missing a payment method.", {
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  });
}

/** Checks that a payment of this customer may use the card. @throws ApiError */
export function checkOwner(method: PaymentMethodRow, customer: string | null): void {
  const owner = idOf(method.value.customer);
  if (owner !== null && owner !== customer) {
    throw invalidRequest(
      `The PaymentMethod ${method.value.id} belongs to a Customer. Include that Customer in the \`customer\` parameter.`,
      { param: 'payment_method' },
    );
  }
  if (owner === null && method.spent) {
    throw invalidRequest(
      'This PaymentMethod was previously used without being attached to a Customer, or was detached from one, and may not be used again.',
      { param: 'payment_method' },
    );
  }
}

/** Charges the card. An approved charge is captured at once, unless capture is manual. */
export function approve(call: Call, intent: Intent, method: PaymentMethodRow): Reply {
  const charge = putCharge(call, newCharge(call, intent, method, null));
  const customer = idOf(intent.customer);
  if (method.value.customer === null) {
    call.store.put('payment_method', method.value.id, { ...method, spent: true });
    if (intent.setup_future_usage && customer !== null) attachMethod(call, method, customer);
  }
  const charged: Intent = {
    ...intent,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.value.id,
  };
  if (intent.capture_method !== 'manual') {
    const captured = captureCharge(call, charged, charge, call.captureAmount ?? intent.amount);
    emit(call, 'charge.succeeded', captured.charge, subjectOf(intent));
    emit(call, 'payment_intent.succeeded', captured.intent, subjectOf(intent));
    return ok(captured.intent);
  }
  const authorized = putIntent(call, { ...charged, status: 'requires_capture', amount_capturable: intent.amount });
  emit(call, 'charge.succeeded', charge, subjectOf(intent));
  emit(call, 'payment_intent.amount_capturable_updated', authorized, subjectOf(intent));
  return ok(authorized);
}

/** Records a failed charge. The intent can be confirmed with another card. */
export function declineCharge(call: Call, intent: Intent, method: PaymentMethodRow, decline: Decline): Reply {
  const charge = putCharge(call, newCharge(call, intent, method, decline));
  const error: ErrorBody = {
    type: 'card_error',
    code: decline.code,
    decline_code: decline.declineCode,
    advice_code: decline.advice,
    message: decline.message,
    doc_url: docUrl(decline.code),
    charge: charge.id,
    payment_method: method.value,
  };
  const failed = putIntent(call, {
    ...intent,
    last_payment_error: error,
    latest_charge: charge.id,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
  emit(call, 'charge.failed', charge, subjectOf(intent));
  emit(call, 'payment_intent.payment_failed', failed, subjectOf(intent));
  return { status: 402, body: { error: { ...error, payment_intent: failed } } };
}

/** Sets the intent to `requires_action`. The cardholder then approves or declines on the stand-in's own page. */
function requireAction(call: Call, intent: Intent, method: PaymentMethodRow, returnUrl: string | null): Reply {
  const page = `${call.url()}/authenticate/${intent.id}`;
  const waiting = putIntent(call, {
    ...intent,
    last_payment_error: null,
    next_action:
      returnUrl === null
        ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: page } }
        : { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url: page } },
    payment_method: method.value.id,
    status: 'requires_action',
  });
  emit(call, 'payment_intent.requires_action', waiting, subjectOf(intent));
  return ok(waiting);
}
