/** What Stripe's answers mean. */
import StripeSdk from 'stripe';
import { asking } from './asking.js';
import { ChargeRefused, type ChargeState, CredentialsRefused, OutcomeUnknown, type RefundState } from './port.js';

/** What became of a charge, in our words. */
export function stateOf(intent: StripeSdk.PaymentIntent): ChargeState {
  const intentId = intent.id;
  switch (intent.status) {
    case 'succeeded':
      return { status: 'captured', intentId, capturedCents: intent.amount_received };
    case 'canceled':
      return { status: 'cancelled', intentId };
    case 'requires_action':
      return {
        status: 'declined',
        intentId,
        failureCode: 'authentication_required',
        failureMessage: 'The card needs its holder to confirm.',
      };
    case 'requires_payment_method':
      return intent.last_payment_error
        ? declined(intentId, intent.last_payment_error)
        : { status: 'waiting', intentId };
    case 'requires_confirmation':
      return { status: 'waiting', intentId };
    default:
      return { status: 'processing', intentId };
  }
}

/** What became of money that is to go back, in our words. */
export function refundOf({ id, status, failure_reason }: StripeSdk.Refund): RefundState {
  const failed = status === 'failed' || status === 'canceled';
  return {
    status: status === 'succeeded' ? 'refunded' : failed ? 'failed' : 'pending',
    gatewayRefundId: id,
    failureCode: failed ? (failure_reason ?? 'refund_failed') : null,
  };
}

/** A card that was refused, in our words. */
export const declined = (
  intentId: string,
  { code, decline_code, message }: { code?: string; decline_code?: string; message?: string },
): ChargeState => ({
  status: 'declined',
  intentId,
  failureCode: decline_code ?? code ?? 'card_declined',
  failureMessage: message ?? 'The card was declined.',
});

/** Asks, and tells a refusal from an unknown outcome. @throws ChargeRefused, OutcomeUnknown */
export const asked = asking(understood);

/** Only an answer that proves that nothing happened is a refusal; everything else is unknown. */
export function understood(error: unknown): Error {
  const { StripeInvalidRequestError, StripeAuthenticationError, StripePermissionError } = StripeSdk.errors;
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError) {
    return new CredentialsRefused(error.message);
  }
  if (error instanceof StripeInvalidRequestError && error.statusCode !== 409) {
    return new ChargeRefused(error.code ?? 'invalid_request', error.message);
  }
  return new OutcomeUnknown(error instanceof Error ? error.name : 'no answer');
}
