/** Paying a checkout session, like the payer on the hosted page. */
import type { SessionRow } from '../state/types.js';
import type { Call, Reply } from '../wire/call.js';
import { refusedByState } from '../wire/errors.js';
import { expireWhenDue, sessionSubject } from './checkoutSessions.js';
import { approve, confirmIntent, declineCharge } from './confirm.js';
import { AUTHENTICATION_REQUIRED } from './cards.js';
import { putNewCustomer } from './customers.js';
import { emit } from './emit.js';
import { newIntent, putIntent, subjectOf, type Intent } from './intentRow.js';
import { resolveMethod } from './paymentMethods.js';
import { idOf, requireRow } from './rows.js';

/** Returns the address to which the payer is redirected after a success. */
export function successUrl(row: SessionRow): string {
  return (row.value.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', row.value.id);
}

function intentOf(call: Call, row: SessionRow): Intent {
  const existing = idOf(row.value.payment_intent);
  if (existing !== null) return requireRow(call, 'payment_intent', existing).value;
  const customer = customerOf(call, row);
  const intent = putIntent(
    call,
    newIntent(call, {
      amount: row.value.amount_total ?? 0,
      currency: row.value.currency ?? 'usd',
      customer,
      description: row.intent.description,
      metadata: row.intent.metadata,
      capture_method: row.intent.capture_method,
      setup_future_usage: row.intent.setup_future_usage ?? null,
    }),
  );
  emit(call, 'payment_intent.created', intent, subjectOf(intent));
  call.store.put('session', row.value.id, { ...row, value: { ...row.value, customer, payment_intent: intent.id } });
  return intent;
}

/** Returns the customer of a session. A session that keeps the card gets a new customer if it has none. */
function customerOf(call: Call, { value, intent }: SessionRow): string | null {
  const existing = idOf(value.customer);
  if (existing !== null) return existing;
  const isNeeded = value.customer_creation === 'always' || Boolean(intent.setup_future_usage);
  return isNeeded ? putNewCustomer(call, { email: value.customer_email, metadata: {} }).id : null;
}

/** Charges the session with a test card. A decline leaves the session open. */
export function paySession(call: Call, sessionId: string, token: string): Reply {
  const row = expireWhenDue(call, requireRow(call, 'session', sessionId));
  if (row.value.status !== 'open') throw refusedByState(`This Checkout Session is ${row.value.status}.`);
  const method = resolveMethod(call, token, 'payment_method');
  const confirmation = { method, returnUrl: successUrl(row), offSession: false, errorOnAction: false };
  const reply = confirmIntent(call, intentOf(call, row), confirmation);
  if (reply.status === 200) completeSession(call, reply.body as Intent);
  return reply;
}

/** Completes the checkout session that belongs to an intent, if there is one and the intent is paid or authorized. */
function completeSession(call: Call, intent: Intent): void {
  if (!['succeeded', 'requires_capture'].includes(intent.status)) return;
  const row = call.store.all('session').find((candidate) => candidate.value.payment_intent === intent.id);
  if (!row) return;
  const email = row.value.customer_email;
  const completed: SessionRow['value'] = {
    ...row.value,
    customer_details: {
      address: null,
      business_name: null,
      email,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    payment_status: intent.status === 'succeeded' ? 'paid' : 'unpaid',
    status: 'complete',
    url: null,
  };
  call.store.put('session', completed.id, { ...row, value: completed });
  emit(call, 'checkout.session.completed', completed, sessionSubject(row));
}

/** Processes the cardholder's answer to the bank: charges or declines the waiting intent. */
export function authenticate(call: Call, intentId: string, approved: boolean): Reply {
  const { value: intent } = requireRow(call, 'payment_intent', intentId);
  if (intent.status !== 'requires_action') {
    throw refusedByState(`This PaymentIntent has a status of ${intent.status}; there is nothing to authenticate.`);
  }
  const method = requireRow(call, 'payment_method', idOf(intent.payment_method) ?? '');
  if (!approved) return declineCharge(call, intent, method, AUTHENTICATION_REQUIRED);
  const reply = approve(call, intent, method);
  completeSession(call, reply.body as Intent);
  return reply;
}
