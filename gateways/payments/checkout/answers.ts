/** Translates responses and errors of Checkout.com into those of the payment port. */
import { dateOf } from '../dateOf.js';
import { translatingErrors } from '../translatingErrors.js';
import { type ChargeRefund, ChargeRefused, type ChargeState, CredentialsRefused, OutcomeUnknown } from '../port.js';

/** The fields that we use of a payment. */
export interface Payment {
  id: string;
  status: string;
  amount: number;
  currency?: string;
  reference?: string;
  metadata?: Record<string, string>;
  requested_on?: string;
  payment_type?: string;
  source?: { id?: string };
  balances?: { total_captured?: number };
  response_code?: string;
  response_summary?: string;
}

/** An operation on a payment. As long as `approved` is absent, the result of the operation is unknown. */
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

const CAPTURED_STATUSES = ['Captured', 'Partially Captured', 'Partially Refunded', 'Refunded', 'Paid'];
const CANCELLED_STATUSES = ['Voided', 'Canceled', 'Expired'];

/**
 * Returns the state of a charge.
 * @param actions oldest first
 */
export function stateOf(payment: Payment, actions: Action[]): ChargeState {
  const { id: intentId, status } = payment;
  const capture = actions.findLast(({ type }) => type === 'Capture');
  if (CAPTURED_STATUSES.includes(status))
    return {
      status: 'captured',
      intentId,
      capturedCents: capturedCentsOf(payment, actions),
      capturedAt: dateOf(capture?.processed_on),
    };
  if (CANCELLED_STATUSES.includes(status)) return { status: 'cancelled', intentId };
  if (status === 'Declined') return { status: 'declined', intentId, ...refusalOf(payment) };
  if (status === 'Pending') return { status: 'declined', intentId, ...AUTHENTICATION_REQUIRED };
  if (status !== 'Authorized') return { status: 'processing', intentId };
  if (!capture) return { status: 'waiting', intentId };
  if (capture.approved === false) return { status: 'declined', intentId, ...refusalOf(capture) };
  return { status: 'processing', intentId };
}

/** The failure of a payment that needs 3-D Secure. It is refused, because payers are not redirected to their bank. */
export const AUTHENTICATION_REQUIRED = {
  failureCode: 'authentication_required',
  failureMessage: 'The cardholder must confirm the payment.',
};

const capturedCentsOf = ({ balances }: Payment, actions: Action[]): number =>
  balances?.total_captured ??
  actions
    .filter(({ type, approved }) => type === 'Capture' && approved === true)
    .reduce((sum, { amount }) => sum + amount, 0);

/** The response code of a bank that requires the cardholder: "Payment declined, SCA required". */
const CARDHOLDER_REQUIRED = '20154';

/** Returns the failure of a refused card. */
export const refusalOf = ({ response_code, response_summary }: Pick<Payment, 'response_code' | 'response_summary'>) =>
  response_code === CARDHOLDER_REQUIRED
    ? AUTHENTICATION_REQUIRED
    : {
        failureCode: response_code || 'card_declined',
        failureMessage: response_summary || 'The card was declined.',
      };

/** Returns the state of a refund. */
export const refundOf = ({ id, amount, reference, approved, response_code }: Action): ChargeRefund => ({
  status: approved === undefined ? 'pending' : approved ? 'refunded' : 'failed',
  gatewayRefundId: id,
  failureCode: approved === false ? response_code || 'refund_failed' : null,
  amountCents: amount,
  refundId: reference ?? null,
});

/**
 * Runs a request and translates its error.
 * @throws ChargeRefused, CredentialsRefused, OutcomeUnknown
 */
export const callProvider = translatingErrors(translateError) as <T>(request: () => Promise<unknown>) => Promise<T>;

/**
 * Reports whether an error is a 403 of the library, which means that the state of the payment does not allow the
 * action.
 */
export const isNotAllowed = (error: unknown): boolean => statusOf(error) === 403;

const statusOf = (error: unknown): unknown => (error as { http_code?: unknown } | null)?.http_code;

/**
 * Translates an error. It counts as a refusal only if the response proves that nothing happened; after every other
 * error the outcome is unknown.
 */
export function translateError(error: unknown): Error {
  // Errors of our own, such as the refusal of an invalid id before any request, are passed on.
  if (error instanceof ChargeRefused || error instanceof OutcomeUnknown) return error;
  const status = statusOf(error);
  if (status === 401 || status === 403) return new CredentialsRefused('Checkout.com refuses the key.');
  if (status === 404) return new ChargeRefused('resource_missing', 'The account has no such payment.');
  if (status === 422 || status === 400) {
    const { error_codes: codes } = ((error as { body?: unknown }).body ?? {}) as { error_codes?: unknown };
    const [code] = Array.isArray(codes) ? codes : [];
    const failureCode = typeof code === 'string' && /^[\w.-]{3,100}$/.test(code) ? code : 'invalid_request';
    return new ChargeRefused(failureCode, `Checkout.com refused the request: ${failureCode}.`);
  }
  return new OutcomeUnknown(error instanceof Error ? error.name : 'no answer');
}
