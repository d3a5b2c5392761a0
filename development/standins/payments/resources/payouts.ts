/** Payouts of the balance to the account owner's bank account. */
import type Stripe from 'stripe';
import { newId } from '../state/identifiers.js';
import { ok, seconds, type Call, type Handler } from '../wire/call.js';
import { refusedByState } from '../wire/errors.js';
import { putBalanceTransaction } from './chargeRow.js';
import { emit } from './emit.js';
import { createdFilter, LIST_PARAMETERS, listReply } from './lists.js';
import { pathRow } from './rows.js';

const CURRENCY = 'usd';

/** Returns the account's balance in cents, both available and pending. */
const balanceOf = (call: Call): number =>
  call.store
    .all('balance_transaction')
    .filter(({ account, value }) => account === call.account && value.currency === CURRENCY)
    .reduce((sum, { value }) => sum + value.net, 0);

/**
 * Creates a payout, as if the account's payout schedule had started it.
 * @throws ApiError when the amount exceeds the balance
 */
export function newPayout(call: Call, amount: number): Stripe.Payout {
  if (amount > balanceOf(call))
    throw refusedByState('You have insufficient funds in your account.', { code: 'balance_insufficient' });
  const created = seconds(call);
  const id = newId('po');
  const payout: Stripe.Payout = {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: created,
    automatic: true,
    balance_transaction: putBalanceTransaction(call, 'payout', id, -amount, CURRENCY),
    created,
    currency: CURRENCY,
    description: 'STRIPE PAYOUT',
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: call.livemode,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'paid',
    trace_id: null,
    type: 'bank_account',
  };
  call.store.put('payout', id, { account: call.account, value: payout });
  emit(call, 'payout.created', payout, null);
  emit(call, 'payout.paid', payout, null);
  return payout;
}

/** GET /v1/payouts/:id */
export const retrievePayout: Handler = (call) => ok(pathRow(call, 'payout').value);

/** GET /v1/payouts */
export const listPayouts: Handler = (call) => {
  call.params.only([...LIST_PARAMETERS, 'arrival_date', 'created', 'destination', 'status']);
  const created = createdFilter(call);
  const status = call.params.string('status');
  return listReply(
    call,
    '/v1/payouts',
    call.store.all('payout'),
    (payout) => created(payout) && (status === undefined || payout.status === status),
  );
};
