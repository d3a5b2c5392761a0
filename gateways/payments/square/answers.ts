/** Translates responses and errors of Square into those of the payment port. */
import { type Square, SquareError } from 'square';
import { dateOf } from '../dateOf.js';
import { translatingErrors } from '../translatingErrors.js';
import { ChargeRefused, type ChargeState, CredentialsRefused, OutcomeUnknown, type RefundState } from '../port.js';

/** Converts an amount of Square to cents. Square also uses the smallest unit of a currency, but as bigint. */
export const centsOf = (money: Square.Money | undefined): number => Number(money?.amount ?? 0);

export const moneyOf = (cents: number, currency: string): Square.Money => ({
  amount: BigInt(cents),
  currency: currency.toUpperCase() as Square.Currency,
});

/** Returns the state of a charge, which is a payment. */
export function stateOf(payment: Square.Payment | undefined): ChargeState {
  if (!payment?.id) throw new OutcomeUnknown('The provider answered without a payment.');
  const intentId = payment.id;
  switch (payment.status) {
    case 'COMPLETED':
      return {
        status: 'captured',
        intentId,
        capturedCents: centsOf(payment.totalMoney ?? payment.amountMoney),
        capturedAt: dateOf(payment.cardDetails?.cardPaymentTimeline?.capturedAt ?? payment.createdAt),
      };
    case 'APPROVED':
      return { status: 'waiting', intentId };
    case 'CANCELED':
      return { status: 'cancelled', intentId };
    case 'FAILED':
      return { status: 'declined', intentId, ...failureOf(payment.cardDetails?.errors?.[0]) };
    default:
      return { status: 'processing', intentId };
  }
}

/** Returns the state of a refund. */
export function refundOf({ id, status }: Square.PaymentRefund): RefundState {
  const failed = status === 'FAILED' || status === 'REJECTED';
  return {
    status: status === 'COMPLETED' ? 'refunded' : failed ? 'failed' : 'pending',
    gatewayRefundId: id,
    failureCode: failed ? `refund_${status.toLowerCase()}` : null,
  };
}

/** Returns the failure of a refused card. */
const failureOf = (error: { code?: string } | undefined) => ({
  failureCode: error?.code?.toLowerCase() ?? 'card_declined',
  failureMessage: 'The card was declined.',
});

/** Returns the failure of a refused card; null if the error has another reason. */
export function refusedCard(error: unknown) {
  const cardError =
    error instanceof SquareError && error.errors.find(({ category }) => category === 'PAYMENT_METHOD_ERROR');
  return cardError ? failureOf(cardError) : null;
}

/**
 * Runs a request and translates its error.
 * @throws ChargeRefused, OutcomeUnknown
 */
export const callProvider = translatingErrors(translateError);

/**
 * Translates an error. It counts as a refusal only if the response proves that nothing happened. The provider's text
 * may contain secrets of the request, so it is not passed on.
 */
export function translateError(error: unknown): Error {
  if (error instanceof ChargeRefused || error instanceof OutcomeUnknown) return error;
  if (!(error instanceof SquareError)) return new OutcomeUnknown(error instanceof Error ? error.name : 'no answer');
  const { statusCode, errors } = error;
  if (statusCode === 401 || statusCode === 403)
    return new CredentialsRefused('The provider refuses this access token.');
  if (statusCode === 400 || statusCode === 402 || statusCode === 404 || statusCode === 422)
    return new ChargeRefused(errors[0]?.code.toLowerCase() ?? 'invalid_request', 'The provider refused the request.');
  return new OutcomeUnknown(`answer ${statusCode ?? 'none'}`);
}
