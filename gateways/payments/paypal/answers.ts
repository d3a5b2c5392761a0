/** Translates responses and errors of PayPal into those of the payment port. */
import {
  ApiError,
  type AuthorizationWithAdditionalData,
  type Money,
  type Order,
  type OrdersCapture,
  type Refund,
} from '@paypal/paypal-server-sdk';
import { dateOf } from '../dateOf.js';
import { translatingErrors } from '../translatingErrors.js';
import {
  type ChargeRefund,
  ChargeRefused,
  type ChargeState,
  CredentialsRefused,
  OutcomeUnknown,
  type RefundState,
} from '../port.js';
import { readMarks } from './marks.js';

/** PayPal writes amounts of these currencies without decimals, so they cannot be given in cents. */
const WITHOUT_DECIMALS = new Set(['HUF', 'JPY', 'TWD']);

export const centsOf = (money: Pick<Money, 'value'> | undefined): number => Math.round(Number(money?.value ?? 0) * 100);

/**
 * Converts cents to an amount in the form that PayPal expects.
 * @throws ChargeRefused for a currency without cents
 */
export function moneyOf(cents: number, currency: string): Money {
  const currencyCode = currency.toUpperCase();
  if (WITHOUT_DECIMALS.has(currencyCode))
    throw new ChargeRefused('currency_unsupported', 'This provider does not support this currency.');
  return { currencyCode, value: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}` };
}

const paymentsOf = (order: Order) => order.purchaseUnits?.[0]?.payments ?? {};
export const authorizationOf = (order: Order): AuthorizationWithAdditionalData | undefined =>
  paymentsOf(order).authorizations?.at(-1);
export const capturesOf = (order: Order): OrdersCapture[] => paymentsOf(order).captures ?? [];
export const refundsOf = (order: Order): Refund[] => paymentsOf(order).refunds ?? [];

const CAPTURED_STATUSES: readonly unknown[] = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'];
const REFUSED_STATUSES: readonly unknown[] = ['DECLINED', 'FAILED'];
export const isCaptured = ({ status }: OrdersCapture): boolean => CAPTURED_STATUSES.includes(status);

export function idOf({ id }: Order): string {
  if (!id) throw new OutcomeUnknown('The provider answered without an order.');
  return id;
}

/** Returns the state of a charge, which is an order. */
export function stateOf(order: Order): ChargeState {
  const intentId = idOf(order);
  const captures = capturesOf(order);
  const captured = captures.filter(isCaptured);
  if (captured.length > 0)
    return {
      status: 'captured',
      intentId,
      capturedCents: captured.reduce((sum, { amount }) => sum + centsOf(amount), 0),
      capturedAt: dateOf(captured[0]?.createTime),
    };
  if (captures.some(({ status }) => !REFUSED_STATUSES.includes(status))) return { status: 'processing', intentId };
  const authorization = authorizationOf(order);
  const authorizationStatus: string = authorization?.status ?? '';
  if (authorizationStatus === 'VOIDED' || String(order.status) === 'VOIDED') return { status: 'cancelled', intentId };
  const refused = captures.at(-1) ?? (authorizationStatus === 'DENIED' ? authorization : undefined);
  if (refused) return { status: 'declined', intentId, ...refusalOf(refused.processorResponse?.responseCode) };
  return {
    status: authorizationStatus === '' || authorizationStatus === 'CREATED' ? 'waiting' : 'processing',
    intentId,
  };
}

/** Returns the failure of a refused card, from the code of the bank or of PayPal. */
export const refusalOf = (code: string | undefined) => ({
  failureCode: code && /^[\w.-]{3,100}$/.test(code) ? code.toLowerCase() : 'card_declined',
  failureMessage: 'The card was declined.',
});

/** The failure of a payment that needs 3-D Secure. It is refused, because payers are not redirected to their bank. */
export const AUTHENTICATION_REQUIRED = {
  failureCode: 'authentication_required',
  failureMessage: 'The cardholder must confirm the payment.',
};

/** Returns the state of a refund. */
export function refundOf(refund: Refund): RefundState {
  if (!refund.id) throw new OutcomeUnknown('The provider answered without a refund.');
  const status = String(refund.status);
  const failed = status === 'FAILED' || status === 'CANCELLED';
  return {
    status: status === 'COMPLETED' ? 'refunded' : failed ? 'failed' : 'pending',
    gatewayRefundId: refund.id,
    failureCode: failed ? `refund_${status.toLowerCase()}` : null,
  };
}

export const chargeRefundOf = (refund: Refund): ChargeRefund => ({
  ...refundOf(refund),
  amountCents: centsOf(refund.amount),
  refundId: readMarks(refund.customId)['refund_id'] ?? null,
});

/** PayPal's error codes ('issues') about the card or the cardholder. Another card may succeed. */
const CARD_ISSUES =
  /^(INSTRUMENT_DECLINED|TRANSACTION_REFUSED|PAYMENT_DENIED|PAYER_|CARD_|TOKEN_ID_NOT_FOUND|REDIRECT_PAYER_|TRANSACTION_BLOCKED_)/;

/** Returns the issue that the provider reports; null if there is none. */
function issueOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const { name, details } = (resultOf(error) ?? {}) as { name?: unknown; details?: { issue?: unknown }[] };
  const [issue] = [Array.isArray(details) ? details[0]?.issue : null, name].filter(
    (one): one is string => typeof one === 'string' && /^[A-Z][A-Z0-9_]{2,99}$/.test(one),
  );
  return issue ?? null;
}

/**
 * Returns the parsed body of an error response. The library parses the body only for some statuses; for all others it
 * is parsed here.
 */
function resultOf({ result, body }: ApiError): unknown {
  if (result !== undefined || typeof body !== 'string') return result;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the failure of a refused card; null if the error has another reason. */
export function refusedCard(error: unknown) {
  const issue = error instanceof ApiError && error.statusCode === 422 ? issueOf(error) : null;
  return issue && CARD_ISSUES.test(issue) ? refusalOf(issue) : null;
}

/**
 * Runs a request and translates its error.
 * @throws ChargeRefused, OutcomeUnknown
 */
export const callProvider = translatingErrors(translateError);

/**
 * Translates an error. It counts as a refusal only if the response proves that nothing happened. The library's errors
 * contain the request with its token, so they are not passed on.
 */
export function translateError(error: unknown): Error {
  if (error instanceof ChargeRefused || error instanceof OutcomeUnknown) return error;
  if (!(error instanceof ApiError)) return new OutcomeUnknown(error instanceof Error ? error.name : 'no answer');
  const { statusCode } = error;
  if (statusCode === 401 || statusCode === 403)
    return new CredentialsRefused('The provider refuses this client id and secret.');
  if (statusCode === 400 || statusCode === 404 || statusCode === 422)
    return new ChargeRefused(
      statusCode === 404 ? 'resource_missing' : (issueOf(error)?.toLowerCase() ?? 'invalid_request'),
      'The provider refused the request.',
    );
  return new OutcomeUnknown(`answer ${statusCode}`);
}
