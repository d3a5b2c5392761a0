/** Capturing: the moment at which money moves. */
import type Stripe from 'stripe';
import { ok, type Call, type Handler } from '../wire/call.js';
import { invalidRequest, refusedByState } from '../wire/errors.js';
import { metadataFrom } from '../wire/metadata.js';
import { noteMovement, putBalanceTransaction, putCharge } from './chargeRow.js';
import { emit } from './emit.js';
import { putIntent, subjectOf, type Intent } from './intentRow.js';
import { idOf, pathRow, requireRow } from './rows.js';

/** Captures an amount of an authorized charge and records the movement in the ledger. */
export function captureCharge(
  call: Call,
  intent: Intent,
  charge: Stripe.Charge,
  amount: number,
): { intent: Intent; charge: Stripe.Charge } {
  const captured = putCharge(call, {
    ...charge,
    amount: intent.capture_method === 'manual' ? charge.amount : amount,
    amount_captured: amount,
    balance_transaction: putBalanceTransaction(call, 'charge', charge.id, amount, charge.currency),
    captured: true,
  });
  const succeeded = putIntent(call, { ...intent, amount_capturable: 0, amount_received: amount, status: 'succeeded' });
  noteMovement(call, 'capture', intent, charge.id, amount);
  call.captured = true;
  return { intent: succeeded, charge: captured };
}

/** POST /v1/payment_intents/:id/capture */
export const capture: Handler = (call) => {
  call.params.only(['amount_to_capture', 'expand', 'final_capture', 'metadata', 'statement_descriptor_suffix']);
  const { value: intent } = pathRow(call, 'payment_intent');
  if (intent.status !== 'requires_capture') {
    throw refusedByState(
      `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with the status requires_capture may be captured.`,
      { code: 'payment_intent_unexpected_state', payment_intent: intent },
    );
  }
  const amount = call.params.integer('amount_to_capture', 1) ?? intent.amount_capturable;
  if (amount > intent.amount_capturable) {
    throw invalidRequest('The amount to capture is greater than the amount that can be captured.', {
      code: 'amount_too_large',
      param: 'amount_to_capture',
    });
  }
  const charge = requireRow(call, 'charge', idOf(intent.latest_charge) ?? '').value;
  const changed = { ...intent, metadata: metadataFrom(call.params, intent.metadata) };
  const captured = captureCharge(call, changed, charge, call.captureAmount ?? amount);
  emit(call, 'charge.captured', captured.charge, subjectOf(intent));
  emit(call, 'payment_intent.succeeded', captured.intent, subjectOf(intent));
  return ok(captured.intent);
};
