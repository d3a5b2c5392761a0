/** What Checkout.com's answers mean. */
import { asking } from '../asking.js';
import { type ChargeRefund, ChargeRefused, type ChargeState, CredentialsRefused, OutcomeUnknown } from '../port.js';

/** Of a payment, what we read. */
export interface Payment {
  id: string;
  status: string;
  amount: number;
  currency?: string;
  reference?: string;
  metadata?: Record<string, string>;
  requested_on?: string;
  balances?: { total_captured?: number };
  response_code?: string;
  response_summary?: string;
}

/** What was done to a payment. Without a word on whether it was approved, nobody knows yet. */
export interface Action {
  id: string;
  type: string;
  amount: number;
  reference?: string;
  processed_on?: string;
  approved?: boolean;
  response_code?: string;
  response_summary?: string;
}

const TAKEN = ['Captured', 'Partially Captured', 'Partially Refunded', 'Refunded', 'Paid'];
const OVER = ['Voided', 'Canceled', 'Expired'];

/** What became of a charge, in our words. @param actions oldest first */
export function stateOf(payment: Payment, actions: Action[]): ChargeState {
  const { id: intentId, status } = payment;
  const capture = actions.findLast(({ type }) => type === 'Capture');
  if (TAKEN.includes(status)) return { status: 'captured', intentId, capturedCents: takenOf(payment, actions) };
  if (OVER.includes(status)) return { status: 'cancelled', intentId };
  if (status === 'Declined') return { status: 'declined', intentId, ...refusalOf(payment) };
  if (status === 'Pending') return { status: 'declined', intentId, ...NEEDS_HOLDER };
  if (status !== 'Authorized') return { status: 'processing', intentId };
  if (!capture) return { status: 'waiting', intentId };
  if (capture.approved === false) return { status: 'declined', intentId, ...refusalOf(capture) };
  return { status: 'processing', intentId };
}

/** It waits for its holder on a page that nobody is sent to. */
export const NEEDS_HOLDER = {
  failureCode: 'authentication_required',
  failureMessage: 'The card needs its holder to confirm.',
};

const takenOf = ({ balances }: Payment, actions: Action[]): number =>
  balances?.total_captured ??
  actions
    .filter(({ type, approved }) => type === 'Capture' && approved === true)
    .reduce((sum, { amount }) => sum + amount, 0);

/** A card that was refused, in our words. */
export const refusalOf = ({
  response_code,
  response_summary,
}: Pick<Payment, 'response_code' | 'response_summary'>) => ({
  failureCode: response_code || 'card_declined',
  failureMessage: response_summary || 'The card was declined.',
});

/** What became of money that is to go back, in our words. */
export const refundOf = ({ id, amount, reference, approved, response_code }: Action): ChargeRefund => ({
  status: approved === undefined ? 'pending' : approved ? 'refunded' : 'failed',
  gatewayRefundId: id,
  failureCode: approved === false ? response_code || 'refund_failed' : null,
  amountCents: amount,
  refundId: reference ?? null,
});

/** Asks, and tells a refusal from an unknown outcome. @throws ChargeRefused, CredentialsRefused, OutcomeUnknown */
export const asked = asking(understood) as <T>(request: () => Promise<unknown>) => Promise<T>;

/** That the payment is in no state for this: the library's answer to a 403 of an action. */
export const isNotAllowed = (error: unknown): boolean => statusOf(error) === 403;

const statusOf = (error: unknown): unknown => (error as { http_code?: unknown } | null)?.http_code;

/** Only an answer that proves that nothing happened is a refusal; everything else is unknown. */
export function understood(error: unknown): Error {
  // What is no id of theirs is refused before anybody is asked.
  if (error instanceof ChargeRefused || error instanceof OutcomeUnknown) return error;
  const status = statusOf(error);
  if (status === 401 || status === 403) return new CredentialsRefused('Checkout.com does not take the key.');
  if (status === 404) return new ChargeRefused('resource_missing', 'The account has no such payment.');
  if (status === 422 || status === 400) {
    const { error_codes: codes } = ((error as { body?: unknown }).body ?? {}) as { error_codes?: unknown };
    const [code] = Array.isArray(codes) ? codes : [];
    const known = typeof code === 'string' && /^[\w.-]{3,100}$/.test(code) ? code : 'invalid_request';
    return new ChargeRefused(known, `Checkout.com refused the request: ${known}.`);
  }
  return new OutcomeUnknown(error instanceof Error ? error.name : 'no answer');
}
