/** The payment port over the `stripe` SDK. */
import StripeSdk from 'stripe';
import { config } from '../../config.js';
import type { ChargeDispute, ChargeRefund, Credentials, PaymentPort } from './port.js';
import { callProvider, declined, refundOf, stateOf, translateError } from './stripeAnswers.js';
import { stripeMovements } from './stripeMovements.js';
import { disputeOf } from './stripeDisputes.js';
import { goneOr, readKeptCard, stripeKeptCards } from './stripeKeptCards.js';
import { stripePages } from './stripePages.js';

/**
 * Returns the port of one account. The retries of the SDK are turned off, because they would hide an unknown outcome.
 */
export function stripePort({ secret_key: secretKey }: Credentials): PaymentPort {
  const stripe = new StripeSdk(secretKey, {
    ...stripeAddress(config.STRIPE_API_URL),
    maxNetworkRetries: 0,
    timeout: config.STRIPE_TIMEOUT_SECONDS * 1000,
    telemetry: false,
  });

  const readCharge: PaymentPort['readCharge'] = async (intentId) =>
    stateOf(await callProvider(() => stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })));

  return {
    async readAccount() {
      const { id } = await callProvider(() => stripe.accounts.retrieveCurrent());
      return { accountId: id, livemode: !/^[sr]k_test_/.test(secretKey) };
    },

    async openCharge({ amountCents, currency, reference, paymentMethod, isKept, idempotencyKey }) {
      const card = isKept ? readKeptCard(paymentMethod) : null;
      try {
        const intent = await callProvider(() =>
          stripe.paymentIntents.create(
            {
              amount: amountCents,
              currency,
              metadata: reference,
              automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
              ...(card && { customer: card.customer, payment_method: card.paymentMethod }),
            },
            { idempotencyKey },
          ),
        );
        return { status: 'opened', intentId: intent.id };
      } catch (error) {
        if (!card) throw error;
        return { status: 'declined', ...(await goneOr(stripe, card, error)) };
      }
    },

    // Does nothing: at Stripe, an unconfirmed charge neither authorizes nor takes money, so it is harmless if the
    // response to its opening got lost.
    closeOpening: () => Promise.resolve(null),

    async confirmCharge({ intentId, paymentMethod, isKept, idempotencyKey }) {
      const card = isKept ? readKeptCard(paymentMethod) : null;
      // Off session, Stripe declines a charge that needs the cardholder, instead of waiting for the cardholder.
      const confirmation = card
        ? { payment_method: card.paymentMethod, off_session: true, expand: ['latest_charge'] }
        : { payment_method: paymentMethod };
      try {
        return stateOf(await stripe.paymentIntents.confirm(intentId, confirmation, { idempotencyKey }));
      } catch (error) {
        if (error instanceof StripeSdk.errors.StripeCardError) return declined(intentId, error);
        const refusal = translateError(error);
        if (!card) throw refusal;
        return { status: 'declined', intentId, ...(await goneOr(stripe, card, refusal)) };
      }
    },

    readCharge,

    async cancelCharge(intentId) {
      try {
        return stateOf(await stripe.paymentIntents.cancel(intentId));
      } catch (error) {
        if (
          error instanceof StripeSdk.errors.StripeInvalidRequestError &&
          error.code === 'payment_intent_unexpected_state'
        ) {
          return readCharge(intentId);
        }
        throw translateError(error);
      }
    },

    async refundCharge({ intentId, amountCents, refundId, reference, idempotencyKey }) {
      const metadata = { ...reference, refund_id: refundId };
      const refund = { payment_intent: intentId, amount: amountCents, metadata };
      return refundOf(await callProvider(() => stripe.refunds.create(refund, { idempotencyKey })));
    },

    readRefunds: (intentId) =>
      callProvider(async () => {
        const refunds: ChargeRefund[] = [];
        for await (const refund of stripe.refunds.list({ payment_intent: intentId, limit: 100 })) {
          const refundId = refund.metadata?.['refund_id'] ?? null;
          refunds.push({ ...refundOf(refund), amountCents: refund.amount, refundId });
        }
        // The list is empty if the charge has no refunds, but also if the account has no such charge. In the second
        // case, reading the charge throws an error.
        if (refunds.length === 0) await stripe.paymentIntents.retrieve(intentId);
        return refunds;
      }),

    ...stripeMovements(stripe),
    readDisputes: (intentId) =>
      callProvider(async () => {
        const disputes: ChargeDispute[] = [];
        for await (const dispute of stripe.disputes.list({
          payment_intent: intentId,
          limit: 100,
          expand: ['data.payment_intent'],
        }))
          disputes.push(disputeOf(dispute));
        return disputes;
      }),

    ...stripeKeptCards(stripe),
    ...stripePages(stripe),
  };
}

/** Returns the SDK's options for another address of the API. Without an address, the SDK uses Stripe's own. */
export function stripeAddress(apiUrl: string | undefined): Pick<StripeSdk.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (!apiUrl) return {};
  const { hostname, port, protocol } = new URL(apiUrl);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return { host: hostname, port: Number(port) || (scheme === 'http' ? 80 : 443), protocol: scheme };
}
