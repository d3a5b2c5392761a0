/**
 * Disputes: money that the payer's bank withdraws, returns when the dispute is won, and withdraws again when it is lost
 * later.
 */
import type Stripe from 'stripe';
import { newId } from '../state/identifiers.js';
import { ok, seconds, type Call, type Handler } from '../wire/call.js';
import { refusedByState } from '../wire/errors.js';
import { putBalanceTransaction, putCharge } from './chargeRow.js';
import { emit } from './emit.js';
import { subjectOf } from './intentRow.js';
import { createdFilter, LIST_PARAMETERS, listReply } from './lists.js';
import { idOf, pathRow, requireRow } from './rows.js';

const FEE = 1500;
const EVIDENCE_DAYS = 9;

/** Returns the amount of a charge that disputes currently withhold. */
export function disputedCentsOf(call: Call, charge: string): number {
  return call.store
    .all('dispute')
    .filter((row) => row.account === call.account && row.value.charge === charge)
    .flatMap((row) => row.value.balance_transactions)
    .reduce((held, { amount }) => held - amount, 0);
}

/** Opens a dispute of a captured charge, and withdraws the amount and a fee. */
export function openDispute(call: Call, intentId: string, requestedCents?: number): Stripe.Dispute {
  const intent = requireRow(call, 'payment_intent', intentId, 'payment_intent').value;
  const charge = call.store.get('charge', idOf(intent.latest_charge) ?? '')?.value;
  if (!charge?.captured) throw refusedByState(`This PaymentIntent (${intent.id}) has no captured charge.`);
  const created = seconds(call);
  const dispute: Stripe.Dispute = {
    id: newId('dp'),
    object: 'dispute',
    amount: requestedCents ?? charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {} as Stripe.Dispute.Evidence,
    intended_submission_method: 'manual',
    evidence_details: {
      due_by: created + EVIDENCE_DAYS * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
    is_charge_refundable: false,
    livemode: call.livemode,
    metadata: {},
    payment_intent: intent.id,
    reason: 'fraudulent',
    status: 'needs_response',
  };
  putCharge(call, { ...charge, disputed: true });
  saveAndEmit(call, 'charge.dispute.created', dispute);
  return saveAndEmit(call, 'charge.dispute.funds_withdrawn', moveMoney(call, dispute, -dispute.amount, FEE));
}

/** Records the bank's decision and moves the money. A dispute that was won may be lost later. */
export function decideDispute(call: Call, id: string, status: 'won' | 'lost'): Stripe.Dispute {
  const dispute = requireRow(call, 'dispute', id).value;
  if (dispute.status === status) throw refusedByState(`This dispute is ${status}.`);
  const withheldCents = dispute.balance_transactions.reduce((cents, { amount }) => cents - amount, 0);
  const decided: Stripe.Dispute = { ...dispute, status };
  if (status === 'won' && withheldCents > 0)
    saveAndEmit(call, 'charge.dispute.funds_reinstated', moveMoney(call, decided, withheldCents, -FEE));
  else if (status === 'lost' && withheldCents === 0)
    saveAndEmit(call, 'charge.dispute.funds_withdrawn', moveMoney(call, decided, -dispute.amount, FEE));
  const closed = requireRow(call, 'dispute', id).value;
  return saveAndEmit(call, 'charge.dispute.closed', { ...closed, status });
}

function moveMoney(call: Call, dispute: Stripe.Dispute, amount: number, fee: number): Stripe.Dispute {
  const id = putBalanceTransaction(call, 'adjustment', dispute.id, amount, dispute.currency, fee);
  const movement = requireRow(call, 'balance_transaction', id).value;
  return { ...dispute, balance_transactions: [...dispute.balance_transactions, movement] };
}

function saveAndEmit(call: Call, type: Stripe.Event.Type, dispute: Stripe.Dispute): Stripe.Dispute {
  call.store.put('dispute', dispute.id, { account: call.account, value: dispute });
  const intent = requireRow(call, 'payment_intent', idOf(dispute.payment_intent) ?? '').value;
  emit(call, type, dispute, subjectOf(intent));
  return dispute;
}

/** GET /v1/disputes/:id */
export const retrieveDispute: Handler = (call) => ok(pathRow(call, 'dispute').value);

/** GET /v1/disputes */
export const listDisputes: Handler = (call) => {
  call.params.only([...LIST_PARAMETERS, 'charge', 'created', 'payment_intent']);
  const created = createdFilter(call);
  const charge = call.params.string('charge');
  const intent = call.params.string('payment_intent');
  return listReply(call, '/v1/disputes', call.store.all('dispute'), (dispute) => {
    const ofCharge = charge === undefined || dispute.charge === charge;
    return created(dispute) && ofCharge && (intent === undefined || dispute.payment_intent === intent);
  });
};
