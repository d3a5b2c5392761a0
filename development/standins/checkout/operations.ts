/** What Checkout.com does when it is asked: captures, voids and refunds are accepted first, and done a moment later. */
import { type Answer, jsonAnswer } from '../kit/exchange.js';
import { type Action, approved, CARDS, idOf, notRefused, type Payment, shown, statusOf, sumOf } from './state.js';

type Body = Record<string, unknown>;

/** An account: what a key opens. */
export interface Account {
  payments: Payment[];
}

export interface Asked {
  account: Account;
  body: Body;
  /** Does it after the answer. */
  later: (act: () => void) => void;
}

export const invalid = (...codes: string[]): Answer =>
  jsonAnswer(422, { request_id: idOf('req'), error_type: 'request_invalid', error_codes: codes });
const empty = (status: number): Answer => ({ status, body: '', headers: {} });
const forbidden = (): Answer => empty(403);
export const missing = (): Answer => empty(404);

export function requestPayment({ account, body }: Asked): Answer {
  const { amount, currency, reference, metadata, processing_channel_id: channel, capture } = body;
  const source = (body['source'] ?? {}) as { token?: unknown; id?: unknown };
  const card = source.token ?? source.id;
  if (typeof amount !== 'number' || !Number.isInteger(amount) || amount < 1) return invalid('amount_invalid');
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return invalid('currency_invalid');
  if (typeof channel !== 'string') return invalid('processing_channel_id_required');
  if (typeof card !== 'string' || !/^(tok|src)_[a-z2-7]{26}$/.test(card)) return invalid('token_invalid');
  // Nobody here asks for a charge in one step.
  if (capture !== false) return invalid('capture_unsupported_by_standin');
  const refused = card === CARDS.declined;
  const response_code = refused ? '20051' : '10000';
  const response_summary = refused ? 'Insufficient Funds' : 'Approved';
  const at = new Date().toISOString();
  const authorization: Action = {
    id: idOf('act'),
    type: 'Authorization',
    amount,
    approved: !refused,
    processed_on: at,
  };
  const payment: Payment = {
    id: idOf('pay'),
    status: '',
    amount,
    currency,
    ...(typeof reference === 'string' ? { reference } : {}),
    metadata: (metadata ?? {}) as Record<string, string>,
    requested_on: at,
    response_code,
    response_summary,
    actions: [{ ...authorization, response_code, response_summary }],
    card,
  };
  account.payments.unshift(payment);
  return jsonAnswer(201, shown(payment));
}

export function capture(payment: Payment, { body, later }: Asked): Answer {
  const pending = payment.actions.some(({ type, approved: known }) => type === 'Capture' && known === undefined);
  if (statusOf(payment) !== 'Authorized' || pending || isBeingVoided(payment)) return forbidden();
  const amount = typeof body['amount'] === 'number' ? body['amount'] : payment.amount;
  if (amount > payment.amount) return invalid('amount_exceeds_balance');
  return accepted(payment, { type: 'Capture', amount }, body, later, payment.card !== CARDS.captureDeclined);
}

export function release(payment: Payment, { body, later }: Asked): Answer {
  const taking = payment.actions.some((action) => action.type === 'Capture' && notRefused(action));
  if (statusOf(payment) !== 'Authorized' || taking || isBeingVoided(payment)) return forbidden();
  return accepted(payment, { type: 'Void', amount: payment.amount }, body, later, true);
}

export function refund(payment: Payment, { body, later }: Asked): Answer {
  const captured = sumOf(payment, 'Capture', approved);
  if (captured === 0) return forbidden();
  const left = captured - sumOf(payment, 'Refund', notRefused);
  if (left === 0) return forbidden();
  const amount = typeof body['amount'] === 'number' ? body['amount'] : left;
  if (amount > left) return invalid('refund_amount_exceeds_balance');
  const waits = payment.card === CARDS.refundPending;
  return accepted(payment, { type: 'Refund', amount }, body, waits ? () => {} : later, true);
}

const isBeingVoided = ({ actions }: Payment): boolean =>
  actions.some(({ type, approved: known }) => type === 'Void' && known === undefined);

function accepted(
  payment: Payment,
  of: Pick<Action, 'type' | 'amount'>,
  { reference }: Body,
  later: Asked['later'],
  succeeds: boolean,
): Answer {
  const action: Action = { id: idOf('act'), ...of, ...(typeof reference === 'string' ? { reference } : {}) };
  payment.actions.push(action);
  later(() => conclude(action, succeeds));
  return jsonAnswer(202, { action_id: action.id, ...(action.reference ? { reference: action.reference } : {}) });
}

/** What became of it. */
export function conclude(action: Action, succeeds: boolean): void {
  action.approved = succeeds;
  action.processed_on = new Date().toISOString();
  action.response_code = succeeds ? '10000' : '20068';
  action.response_summary = succeeds ? 'Approved' : 'Declined by the bank';
}
