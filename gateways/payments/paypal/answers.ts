/** What PayPal's answers mean. */
import {
  ApiError,
  type AuthorizationWithAdditionalData,
  type Money,
  type Order,
  type OrdersCapture,
  type Refund,
} from '@paypal/paypal-server-sdk';
import { asking } from '../asking.js';
import {
  type ChargeRefund,
  ChargeRefused,
  type ChargeState,
  CredentialsRefused,
  OutcomeUnknown,
  type RefundState,
} from '../port.js';
import { readMarks } from './marks.js';

/** PayPal writes these without decimals, where our cents would mean something else. */
const WITHOUT_DECIMALS = new Set(['HUF', 'JPY', 'TWD']);

export const centsOf = (money: Pick<Money, 'value'> | undefined): number => Math.round(Number(money?.value ?? 0) * 100);

/** @throws ChargeRefused for a currency that has no cents */
export function moneyOf(cents: number, currency: string): Money {
  const currencyCode = currency.toUpperCase();
  if (WITHOUT_DECIMALS.has(currencyCode))
    throw new ChargeRefused('currency_unsupported', 'This currency is not taken by this provider.');
  return { currencyCode, value: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}` };
}

const paymentsOf = (order: Order) => order.purchaseUnits?.[0]?.payments ?? {};
export const authorizationOf = (order: Order): AuthorizationWithAdditionalData | undefined =>
  paymentsOf(order).authorizations?.at(-1);
export const capturesOf = (order: Order): OrdersCapture[] => paymentsOf(order).captures ?? [];
export const refundsOf = (order: Order): Refund[] => paymentsOf(order).refunds ?? [];

const TAKEN: readonly unknown[] = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'];
const REFUSED: readonly unknown[] = ['DECLINED', 'FAILED'];
export const isTaken = ({ status }: OrdersCapture): boolean => TAKEN.includes(status);

export function idOf({ id }: Order): string {
  if (!id) throw new OutcomeUnknown('The provider answered without an order.');
  return id;
}

/** What became of an order, in our words. */
export function stateOf(order: Order): ChargeState {
  const intentId = idOf(order);
  const captures = capturesOf(order);
  const taken = captures.filter(isTaken);
  if (taken.length > 0)
    return { status: 'captured', intentId, capturedCents: taken.reduce((sum, { amount }) => sum + centsOf(amount), 0) };
  if (captures.some(({ status }) => !REFUSED.includes(status))) return { status: 'processing', intentId };
  const authorization = authorizationOf(order);
  const held: string = authorization?.status ?? '';
  if (held === 'VOIDED' || String(order.status) === 'VOIDED') return { status: 'cancelled', intentId };
  const refused = captures.at(-1) ?? (held === 'DENIED' ? authorization : undefined);
  if (refused) return { status: 'declined', intentId, ...refusalOf(refused.processorResponse?.responseCode) };
  return { status: held === '' || held === 'CREATED' ? 'waiting' : 'processing', intentId };
}

/** Why a card was refused, by the code of the bank or of PayPal. */
export const refusalOf = (code: string | undefined) => ({
  failureCode: code && /^[\w.-]{3,100}$/.test(code) ? code.toLowerCase() : 'card_declined',
  failureMessage: 'The card was declined.',
});

/** Its holder would have to confirm it on a page that nobody is sent to. */
export const NEEDS_HOLDER = {
  failureCode: 'authentication_required',
  failureMessage: 'The card needs its holder to confirm.',
};

/** What became of money that is to go back, in our words. */
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

/** Issues that are the card's or its holder's: another one may be tried. */
const OF_THE_CARD =
  /^(INSTRUMENT_DECLINED|TRANSACTION_REFUSED|PAYMENT_DENIED|PAYER_|CARD_|TOKEN_ID_NOT_FOUND|REDIRECT_PAYER_|TRANSACTION_BLOCKED_)/;

/** What the provider says is wrong with a request; null: it did not say. */
function issueOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const { name, details } = (saidBy(error) ?? {}) as { name?: unknown; details?: { issue?: unknown }[] };
  const [issue] = [Array.isArray(details) ? details[0]?.issue : null, name].filter(
    (one): one is string => typeof one === 'string' && /^[A-Z][A-Z0-9_]{2,99}$/.test(one),
  );
  return issue ?? null;
}

/** The library reads an error only where it knows of one of that status. */
function saidBy({ result, body }: ApiError): unknown {
  if (result !== undefined || typeof body !== 'string') return result;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** The refusal of a card that an error carries; null: it is about something else. */
export function refusedCard(error: unknown) {
  const issue = error instanceof ApiError && error.statusCode === 422 ? issueOf(error) : null;
  return issue && OF_THE_CARD.test(issue) ? refusalOf(issue) : null;
}

/** Asks, and tells a refusal from an unknown outcome. @throws ChargeRefused, OutcomeUnknown */
export const asked = asking(understood);

/** Only an answer that proves that nothing happened is a refusal. The library's errors hold the request with its token: they are not kept. */
export function understood(error: unknown): Error {
  if (error instanceof ChargeRefused || error instanceof OutcomeUnknown) return error;
  if (!(error instanceof ApiError)) return new OutcomeUnknown(error instanceof Error ? error.name : 'no answer');
  const { statusCode } = error;
  if (statusCode === 401 || statusCode === 403)
    return new CredentialsRefused('The provider does not take this secret of this client.');
  if (statusCode === 400 || statusCode === 404 || statusCode === 422)
    return new ChargeRefused(
      statusCode === 404 ? 'resource_missing' : (issueOf(error)?.toLowerCase() ?? 'invalid_request'),
      'The provider refused the request.',
    );
  return new OutcomeUnknown(`answer ${statusCode}`);
}
