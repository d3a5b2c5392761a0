/** What Square's answers mean. */
import { type Square, SquareError } from 'square';
import { asking } from '../asking.js';
import { ChargeRefused, type ChargeState, CredentialsRefused, OutcomeUnknown, type RefundState } from '../port.js';

/** Cents; Square counts in the smallest unit too, in numbers that may be larger than ours. */
export const centsOf = (money: Square.Money | undefined): number => Number(money?.amount ?? 0);

export const moneyOf = (cents: number, currency: string): Square.Money => ({
  amount: BigInt(cents),
  currency: currency.toUpperCase() as Square.Currency,
});

/** What became of a payment, in our words. */
export function stateOf(payment: Square.Payment | undefined): ChargeState {
  if (!payment?.id) throw new OutcomeUnknown('The provider answered without a payment.');
  const intentId = payment.id;
  switch (payment.status) {
    case 'COMPLETED':
      return { status: 'captured', intentId, capturedCents: centsOf(payment.totalMoney ?? payment.amountMoney) };
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

/** What became of money that is to go back, in our words. */
export function refundOf({ id, status }: Square.PaymentRefund): RefundState {
  const failed = status === 'FAILED' || status === 'REJECTED';
  return {
    status: status === 'COMPLETED' ? 'refunded' : failed ? 'failed' : 'pending',
    gatewayRefundId: id,
    failureCode: failed ? `refund_${status.toLowerCase()}` : null,
  };
}

/** Why a card was refused. */
const failureOf = (error: { code?: string } | undefined) => ({
  failureCode: error?.code?.toLowerCase() ?? 'card_declined',
  failureMessage: 'The card was declined.',
});

/** The refusal of a card that an error carries; null: it is about something else. */
export function refusedCard(error: unknown) {
  const found =
    error instanceof SquareError && error.errors.find(({ category }) => category === 'PAYMENT_METHOD_ERROR');
  return found ? failureOf(found) : null;
}

/** Asks, and tells a refusal from an unknown outcome. @throws ChargeRefused, OutcomeUnknown */
export const asked = asking(understood);

/** Only an answer that proves that nothing happened is a refusal. What the provider says of a request may name its secrets: it is not kept. */
export function understood(error: unknown): Error {
  if (error instanceof ChargeRefused || error instanceof OutcomeUnknown) return error;
  if (!(error instanceof SquareError)) return new OutcomeUnknown(error instanceof Error ? error.name : 'no answer');
  const { statusCode, errors } = error;
  if (statusCode === 401 || statusCode === 403)
    return new CredentialsRefused('The provider does not take this access token.');
  if (statusCode === 400 || statusCode === 402 || statusCode === 404 || statusCode === 422)
    return new ChargeRefused(errors[0]?.code.toLowerCase() ?? 'invalid_request', 'The provider refused the request.');
  return new OutcomeUnknown(`answer ${statusCode ?? 'none'}`);
}
