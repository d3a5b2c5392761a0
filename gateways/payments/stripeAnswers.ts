/** Translates responses and errors of Stripe into those of the payment port. */
import StripeSdk from 'stripe';
import { translatingErrors } from './translatingErrors.js';
import { ChargeRefused, type ChargeState, CredentialsRefused, OutcomeUnknown, type RefundState } from './port.js';

/** Returns the state of a charge. */
export function stateOf(intent: StripeSdk.PaymentIntent): ChargeState {
  const intentId = intent.id;
  switch (intent.status) {
    case 'succeeded':
      return { status: 'captured', intentId, capturedCents: intent.amount_received, capturedAt: chargedAt(intent) };
    case 'canceled':
      return { status: 'cancelled', intentId };
    case 'requires_action':
      return {
        status: 'declined',
        intentId,
        failureCode: 'authentication_required',
        failureMessage: 'The cardholder must confirm the payment.',
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

/** Returns the time of the charge, which the intent contains if the request expanded it. */
const chargedAt = ({ latest_charge: charge }: StripeSdk.PaymentIntent): Date | null =>
  charge && typeof charge !== 'string' ? new Date(charge.created * 1000) : null;

/** Returns the state of a refund. */
export function refundOf({ id, status, failure_reason }: StripeSdk.Refund): RefundState {
  const failed = status === 'failed' || status === 'canceled';
  return {
    status: status === 'succeeded' ? 'refunded' : failed ? 'failed' : 'pending',
    gatewayRefundId: id,
    failureCode: failed ? (failure_reason ?? 'refund_failed') : null,
  };
}

/** Returns the failure of a refused card. */
export const declined = (
  intentId: string,
  { code, decline_code, message }: { code?: string; decline_code?: string; message?: string },
): ChargeState => ({
  status: 'declined',
  intentId,
  failureCode: decline_code ?? code ?? 'card_declined',
  failureMessage: message ?? 'The card was declined.',
});

/**
 * Runs a request and translates its error.
 * @throws ChargeRefused, OutcomeUnknown
 */
export const callProvider = translatingErrors(translateError);

/**
 * Translates an error. It counts as a refusal only if the response proves that nothing happened; after every other
 * error the outcome is unknown.
 */
export function translateError(error: unknown): Error {
  const { StripeInvalidRequestError, StripeAuthenticationError, StripePermissionError } = StripeSdk.errors;
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError) {
    return new CredentialsRefused(error.message);
  }
  if (error instanceof StripeInvalidRequestError && error.statusCode !== 409) {
    return new ChargeRefused(error.code ?? 'invalid_request', error.message);
  }
  return new OutcomeUnknown(error instanceof Error ? error.name : 'no answer');
}
