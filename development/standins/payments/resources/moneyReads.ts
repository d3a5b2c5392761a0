/** The balance, balance transactions, and the key's account. */
import type Stripe from 'stripe';
import { ok, seconds, type Handler } from '../wire/call.js';
import { noSuch } from '../wire/errors.js';
import { createdFilter, LIST_PARAMETERS, listReply } from './lists.js';
import { idOf, pathRow } from './rows.js';

/** Returns the balance transaction with its current status: `available` once its date is reached. */
function withStatus(transaction: Stripe.BalanceTransaction, now: number): Stripe.BalanceTransaction {
  return { ...transaction, status: transaction.available_on <= now ? 'available' : 'pending' };
}

/** GET /v1/balance_transactions/:id */
export const retrieveBalanceTransaction: Handler = (call) => {
  return ok(withStatus(pathRow(call, 'balance_transaction').value, seconds(call)));
};

/** GET /v1/balance_transactions */
export const listBalanceTransactions: Handler = (call) => {
  call.params.only([...LIST_PARAMETERS, 'created', 'currency', 'payout', 'source', 'type']);
  const created = createdFilter(call);
  const [currency, source, type] = ['currency', 'source', 'type'].map((name) => call.params.string(name));
  const passes = (transaction: Stripe.BalanceTransaction): boolean => {
    const ofSource = source === undefined || idOf(transaction.source) === source;
    const ofType = type === undefined || transaction.type === type;
    return created(transaction) && ofSource && ofType && (currency === undefined || transaction.currency === currency);
  };
  const now = seconds(call);
  return listReply(call, '/v1/balance_transactions', call.store.all('balance_transaction'), passes, (transaction) =>
    withStatus(transaction, now),
  );
};

/** GET /v1/balance */
export const retrieveBalance: Handler = (call) => {
  call.params.only(['expand']);
  const sums = { available: new Map<string, number>(), pending: new Map<string, number>() };
  for (const { account, value } of call.store.all('balance_transaction')) {
    if (account !== call.account) continue;
    const sum = value.available_on <= seconds(call) ? sums.available : sums.pending;
    sum.set(value.currency, (sum.get(value.currency) ?? 0) + value.net);
  }
  const entries = (sum: Map<string, number>) => {
    const amounts = sum.size === 0 ? [['usd', 0] as const] : [...sum];
    return amounts.map(([currency, amount]) => ({ amount, currency, source_types: { card: amount } }));
  };
  return ok({
    object: 'balance',
    available: entries(sums.available),
    livemode: call.livemode,
    pending: entries(sums.pending),
  });
};

/** GET /v1/account and GET /v1/accounts/:id, where only the key's own account is accepted */
export const retrieveAccount: Handler = (call) => {
  const id = call.ids[0];
  if (id !== undefined && id !== call.account) throw noSuch('account', id);
  const account: Stripe.Account = {
    id: call.account,
    object: 'account',
    business_profile: null,
    business_type: 'company',
    capabilities: { card_payments: 'active', transfers: 'active' },
    charges_enabled: true,
    country: 'US',
    default_currency: 'usd',
    details_submitted: true,
    email: null,
    metadata: {},
    payouts_enabled: true,
    type: 'standard',
  };
  return ok(account);
};
