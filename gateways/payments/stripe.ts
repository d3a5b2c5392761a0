/** The payment port over the `stripe` SDK. */
import StripeSdk from 'stripe';
import { config } from '../../config.js';
import {
  ChargeRefused,
  type ChargeState,
  CredentialsRefused,
  OutcomeUnknown,
  type PaymentPort,
  type RefundState,
} from './port.js';

/** Talks to one account. Retries are ours: the SDK's own would hide an unknown outcome. */
export function stripePort(secretKey: string): PaymentPort {
  const stripe = new StripeSdk(secretKey, {
    ...stripeAddress(config.STRIPE_API_URL),
    maxNetworkRetries: 0,
    timeout: config.STRIPE_TIMEOUT_SECONDS * 1000,
    telemetry: false,
  });

  return {
    async readAccount() {
      const { id } = await asked(() => stripe.accounts.retrieveCurrent());
      return { accountId: id, livemode: !/^[sr]k_test_/.test(secretKey) };
    },

    async openCharge({ amountCents, currency, reference, idempotencyKey }) {
      const intent = await asked(() =>
        stripe.paymentIntents.create(
          {
            amount: amountCents,
            currency,
            metadata: reference,
            automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          },
          { idempotencyKey },
        ),
      );
      return { intentId: intent.id };
    },

    async confirmCharge({ intentId, paymentMethod, idempotencyKey }) {
      try {
        return stateOf(
          await stripe.paymentIntents.confirm(intentId, { payment_method: paymentMethod }, { idempotencyKey }),
        );
      } catch (error) {
        if (error instanceof StripeSdk.errors.StripeCardError) return declined(intentId, error);
        throw understood(error);
      }
    },

    readCharge: async (intentId) => stateOf(await asked(() => stripe.paymentIntents.retrieve(intentId))),

    async cancelCharge(intentId) {
      try {
        return stateOf(await stripe.paymentIntents.cancel(intentId));
      } catch (error) {
        if (
          error instanceof StripeSdk.errors.StripeInvalidRequestError &&
          error.code === 'payment_intent_unexpected_state'
        ) {
          return stateOf(await asked(() => stripe.paymentIntents.retrieve(intentId)));
        }
        throw understood(error);
      }
    },

    async refundCharge({ intentId, amountCents, refundId, idempotencyKey }) {
      const refund = { payment_intent: intentId, amount: amountCents, metadata: { refund_id: refundId } };
      return refundOf(await asked(() => stripe.refunds.create(refund, { idempotencyKey })));
    },

    findRefund: ({ intentId, refundId }) =>
      asked(async () => {
        for await (const refund of stripe.refunds.list({ payment_intent: intentId, limit: 100 })) {
          if (refund.metadata?.['refund_id'] === refundId) return refundOf(refund);
        }
        return null;
      }),

    async openHostedPayment({ amountCents, currency, description, reference, idempotencyKey, returnUrl }) {
      const price = { currency, unit_amount: amountCents, product_data: { name: description } };
      const session = await asked(() =>
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            line_items: [{ quantity: 1, price_data: price }],
            metadata: reference,
            payment_intent_data: { metadata: reference },
            success_url: `${returnUrl}?payment=done`,
            cancel_url: `${returnUrl}?payment=cancelled`,
          },
          { idempotencyKey },
        ),
      );
      if (!session.url) throw new OutcomeUnknown('The session has no page.');
      return { sessionId: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) };
    },
  };
}

/** Where the SDK calls: Stripe itself without an address. */
export function stripeAddress(apiUrl: string | undefined): Pick<StripeSdk.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (!apiUrl) return {};
  const { hostname, port, protocol } = new URL(apiUrl);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return { host: hostname, port: Number(port) || (scheme === 'http' ? 80 : 443), protocol: scheme };
}

function stateOf(intent: StripeSdk.PaymentIntent): ChargeState {
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

function refundOf({ id, status, failure_reason }: StripeSdk.Refund): RefundState {
  const failed = status === 'failed' || status === 'canceled';
  return {
    status: status === 'succeeded' ? 'refunded' : failed ? 'failed' : 'pending',
    gatewayRefundId: id,
    failureCode: failed ? (failure_reason ?? 'refund_failed') : null,
  };
}

const declined = (
  intentId: string,
  { code, decline_code, message }: { code?: string; decline_code?: string; message?: string },
): ChargeState => ({
  status: 'declined',
  intentId,
  failureCode: decline_code ?? code ?? 'card_declined',
  failureMessage: message ?? 'The card was declined.',
});

async function asked<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw understood(error);
  }
}

/** Only an answer that proves that nothing happened is a refusal; everything else is unknown. */
function understood(error: unknown): Error {
  const { StripeInvalidRequestError, StripeAuthenticationError, StripePermissionError } = StripeSdk.errors;
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError) {
    return new CredentialsRefused(error.message);
  }
  if (error instanceof StripeInvalidRequestError && error.statusCode !== 409) {
    return new ChargeRefused(error.code ?? 'invalid_request', error.message);
  }
  return new OutcomeUnknown(error instanceof Error ? error.name : 'no answer');
}
