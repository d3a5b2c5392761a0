/** Hosted pages of Stripe: Checkout Sessions. */
import StripeSdk from 'stripe';
import { type HostedPayment, type HostedState, OutcomeUnknown, type PaymentPort } from './port.js';
import { keptCardOf } from './stripeKeptCards.js';
import { callProvider, stateOf, translateError } from './stripeAnswers.js';

type Session = StripeSdk.Checkout.Session;

const PAGE_SIZE = 100;

export function stripePages(
  stripe: StripeSdk,
): Pick<PaymentPort, 'openHostedPayment' | 'findHostedPayments' | 'readHostedPayment' | 'expireHostedPayment'> {
  // Reads the session with its charge, because the session does not contain the received amount.
  const read = async (sessionId: string): Promise<HostedState> =>
    pageState(
      await callProvider(() =>
        stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent.latest_charge'] }),
      ),
    );

  return {
    async openHostedPayment(payment) {
      const { amountCents, currency, description, reference, idempotencyKey, doneUrl, cancelUrl, keepsCard } = payment;
      const price = { currency, unit_amount: amountCents, product_data: { name: description } };
      const session = await callProvider(() =>
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            line_items: [{ quantity: 1, price_data: price }],
            metadata: reference,
            payment_intent_data: {
              metadata: reference,
              ...(keepsCard && { setup_future_usage: 'off_session' as const }),
            },
            ...(keepsCard && { customer_creation: 'always' as const }),
            success_url: doneUrl,
            cancel_url: cancelUrl,
          },
          { idempotencyKey },
        ),
      );
      return pageOf(session);
    },

    // Lists all sessions of the period and selects those with this reference, because Stripe cannot search sessions by
    // metadata.
    async findHostedPayments(reference, { from, to }) {
      const created = { gte: Math.floor(from.getTime() / 1000), lte: Math.ceil(to.getTime() / 1000) };
      const pages: HostedPayment[] = [];
      await callProvider(async () => {
        for await (const session of stripe.checkout.sessions.list({ created, limit: PAGE_SIZE })) {
          if (isMarked(session, reference)) pages.push(pageOf(session));
        }
      });
      return pages;
    },

    readHostedPayment: read,

    async expireHostedPayment(sessionId) {
      try {
        await stripe.checkout.sessions.expire(sessionId);
        return { status: 'closed' };
      } catch (error) {
        if (!(error instanceof StripeSdk.errors.StripeInvalidRequestError)) throw translateError(error);
      }
      // If the request was refused, the page was paid, has expired, or is being paid now. Read which.
      const state = await read(sessionId);
      if (state.status === 'open') throw new OutcomeUnknown('The page is not closed yet.');
      return state;
    },
  };
}

const pageOf = ({ id, url, expires_at }: Session): HostedPayment => ({
  sessionId: id,
  url,
  expiresAt: new Date(expires_at * 1000),
});

const isMarked = ({ metadata }: Session, reference: Record<string, string>): boolean =>
  Object.entries(reference).every(([name, value]) => metadata?.[name] === value);

function pageState({ status, payment_intent: intent, currency }: Session): HostedState {
  if (status === 'open') return { status: 'open' };
  if (status !== 'complete' || intent === null || typeof intent === 'string') return { status: 'closed' };
  const charge = stateOf(intent);
  if (charge.status === 'captured') return { ...charge, status: 'paid', currency, keptCard: keptCardOf(intent) };
  // A completed page cannot be paid again. So if its charge was refused, the page is closed without a payment.
  return charge.status === 'processing' ? { status: 'processing', intentId: intent.id } : { status: 'closed' };
}
