/** Refunds: full or partial, at most the captured amount. */
import type Stripe from 'stripe';
import { newId } from '../state/identifiers.js';
import { ok, seconds, type Call, type Handler } from '../wire/call.js';
import { invalidRequest, refusedByState } from '../wire/errors.js';
import { metadataFrom } from '../wire/metadata.js';
import { formatMoney } from '../wire/money.js';
import { testCard } from './cards.js';
import { noteMovement, putBalanceTransaction, putCharge } from './chargeRow.js';
import { disputedCentsOf } from './disputes.js';
import { emit } from './emit.js';
import { subjectOf, type Intent } from './intentRow.js';
import { createdFilter, LIST_PARAMETERS, listReply } from './lists.js';
import { idOf, pathRow, requireRow } from './rows.js';

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

function targetOf(call: Call): { intent: Intent; charge: Stripe.Charge } {
  const chargeId = call.params.string('charge');
  const intentId = call.params.string('payment_intent');
  if ((chargeId === undefined) === (intentId === undefined)) {
    throw invalidRequest('One of charge and payment_intent must be given, and only one.', { param: 'payment_intent' });
  }
  if (chargeId !== undefined) {
    const charge = requireRow(call, 'charge', chargeId, 'charge').value;
    const intent = requireRow(call, 'payment_intent', idOf(charge.payment_intent) ?? '', 'charge').value;
    return { intent, charge: checkCaptured(intent, charge) };
  }
  const intent = requireRow(call, 'payment_intent', intentId ?? '', 'payment_intent').value;
  return { intent, charge: checkCaptured(intent, call.store.get('charge', idOf(intent.latest_charge) ?? '')?.value) };
}

function checkCaptured(intent: Intent, charge: Stripe.Charge | undefined): Stripe.Charge {
  if (charge?.captured === true) return charge;
  throw refusedByState(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
}

function checkRefundable(charge: Stripe.Charge, amount: number, refundable: number): void {
  if (refundable === 0) {
    throw refusedByState(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  }
  if (amount > refundable) {
    const [requestedText, refundableText] = [
      formatMoney(amount, charge.currency),
      formatMoney(refundable, charge.currency),
    ];
    throw refusedByState(
      `Refund amount (${requestedText}) is greater than unrefunded amount on charge (${refundableText})`,
      {
        param: 'amount',
      },
    );
  }
}

function staysPending(call: Call, { payment_method }: Stripe.Charge): boolean {
  const card = call.store.get('payment_method', payment_method ?? '')?.card;
  return card !== undefined && testCard(card).refundsStayPending === true;
}

/** POST /v1/refunds */
export const createRefund: Handler = (call) => {
  call.params.only(['amount', 'charge', 'expand', 'instructions_email', 'metadata', 'payment_intent', 'reason']);
  const requestedCents = call.params.integer('amount', 1);
  const reason = call.params.choice('reason', REASONS) ?? null;
  const metadata = metadataFrom(call.params);
  const { intent, charge } = targetOf(call);
  const disputedCents = disputedCentsOf(call, charge.id);
  const refundableCents = Math.max(0, charge.amount_captured - charge.amount_refunded - disputedCents);
  if (disputedCents > 0 && refundableCents === 0)
    throw refusedByState(`Charge ${charge.id} has been charged back.`, { code: 'charge_disputed' });
  const amount = requestedCents ?? refundableCents;
  checkRefundable(charge, amount, refundableCents);
  const id = newId('re');
  const refund: Stripe.Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: putBalanceTransaction(call, 'refund', id, -amount, charge.currency),
    charge: charge.id,
    created: seconds(call),
    currency: charge.currency,
    customer: idOf(intent.customer),
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata,
    payment_intent: intent.id,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: staysPending(call, charge) ? 'pending' : 'succeeded',
    transfer_reversal: null,
  };
  call.store.put('refund', id, { account: call.account, value: refund });
  const refunded = charge.amount_refunded + amount;
  const changed = putCharge(call, {
    ...charge,
    amount_refunded: refunded,
    refunded: refunded === charge.amount_captured,
  });
  noteMovement(call, 'refund', intent, charge.id, amount);
  emit(call, 'refund.created', refund, subjectOf(intent));
  emit(call, 'charge.refunded', changed, subjectOf(intent));
  return ok(refund);
};

/** GET /v1/refunds/:id */
export const retrieveRefund: Handler = (call) => ok(pathRow(call, 'refund').value);

/** GET /v1/refunds and GET /v1/charges/:id/refunds */
export const listRefunds: Handler = (call) => {
  call.params.only([...LIST_PARAMETERS, 'charge', 'created', 'payment_intent']);
  const created = createdFilter(call);
  const fromPath = call.ids[0];
  const charge = fromPath ?? call.params.string('charge');
  const intent = call.params.string('payment_intent');
  const url = fromPath === undefined ? '/v1/refunds' : `/v1/charges/${fromPath}/refunds`;
  return listReply(call, url, call.store.all('refund'), (refund) => {
    const ofCharge = charge === undefined || refund.charge === charge;
    return created(refund) && ofCharge && (intent === undefined || refund.payment_intent === intent);
  });
};
