/** The payment port over the `stripe` SDK. */
import StripeSdk from 'stripe';
import { config } from '../../config.js';
import type { ChargeDispute, ChargeRefund, Credentials, PaymentPort } from './port.js';
import { asked, declined, refundOf, stateOf, understood } from './stripeAnswers.js';
import { stripeMovements } from './stripeMovements.js';
import { disputeOf } from './stripeDisputes.js';
import { stripePages } from './stripePages.js';

/** Talks to one account. Retries are ours: the SDK's own would hide an unknown outcome. */
export function stripePort({ secret_key: secretKey }: Credentials): PaymentPort {
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
      return { status: 'opened', intentId: intent.id };
    },

    // Unconfirmed, a charge takes nothing and holds nothing: one whose opening got lost can be left behind.
    closeOpening: () => Promise.resolve(null),

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

    async refundCharge({ intentId, amountCents, refundId, reference, idempotencyKey }) {
      const metadata = { ...reference, refund_id: refundId };
      const refund = { payment_intent: intentId, amount: amountCents, metadata };
      return refundOf(await asked(() => stripe.refunds.create(refund, { idempotencyKey })));
    },

    readRefunds: (intentId) =>
      asked(async () => {
        const made: ChargeRefund[] = [];
        for await (const refund of stripe.refunds.list({ payment_intent: intentId, limit: 100 })) {
          const refundId = refund.metadata?.['refund_id'] ?? null;
          made.push({ ...refundOf(refund), amountCents: refund.amount, refundId });
        }
        // An account that does not know the charge says nothing about it; an empty list could be taken for a word.
        if (made.length === 0) await stripe.paymentIntents.retrieve(intentId);
        return made;
      }),

    ...stripeMovements(stripe),
    readDisputes: (intentId) =>
      asked(async () => {
        const found: ChargeDispute[] = [];
        for await (const dispute of stripe.disputes.list({
          payment_intent: intentId,
          limit: 100,
          expand: ['data.payment_intent'],
        }))
          found.push(disputeOf(dispute));
        return found;
      }),

    ...stripePages(stripe),
  };
}

/** Where the SDK calls: Stripe itself without an address. */
export function stripeAddress(apiUrl: string | undefined): Pick<StripeSdk.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (!apiUrl) return {};
  const { hostname, port, protocol } = new URL(apiUrl);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return { host: hostname, port: Number(port) || (scheme === 'http' ? 80 : 443), protocol: scheme };
}
