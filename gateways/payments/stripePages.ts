/** Hosted pages of Stripe: Checkout Sessions. */
import StripeSdk from 'stripe';
import { type HostedPayment, type HostedState, OutcomeUnknown, type PaymentPort } from './port.js';
import { asked, stateOf, understood } from './stripeAnswers.js';

type Session = StripeSdk.Checkout.Session;

/** As many as Stripe gives at once. */
const PAGE = 100;

export function stripePages(
  stripe: StripeSdk,
): Pick<PaymentPort, 'openHostedPayment' | 'findHostedPayments' | 'readHostedPayment' | 'expireHostedPayment'> {
  // With its charge: the session itself does not say how much was received.
  const read = async (sessionId: string): Promise<HostedState> =>
    pageState(await asked(() => stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent'] })));

  return {
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
      return pageOf(session);
    },

    // Sessions cannot be searched by their marks, and lists are up to date at once, as searches are not.
    async findHostedPayments(reference, { from, to }) {
      const created = { gte: Math.floor(from.getTime() / 1000), lte: Math.ceil(to.getTime() / 1000) };
      const found: HostedPayment[] = [];
      await asked(async () => {
        for await (const session of stripe.checkout.sessions.list({ created, limit: PAGE })) {
          if (isMarked(session, reference)) found.push(pageOf(session));
        }
      });
      return found;
    },

    readHostedPayment: read,

    async expireHostedPayment(sessionId) {
      try {
        await stripe.checkout.sessions.expire(sessionId);
        return { status: 'closed' };
      } catch (error) {
        if (!(error instanceof StripeSdk.errors.StripeInvalidRequestError)) throw understood(error);
      }
      // It was paid, or has expired, or is being paid at this moment.
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
  if (charge.status === 'captured')
    return { status: 'paid', intentId: intent.id, capturedCents: charge.capturedCents, currency };
  // Whoever has completed a page does not pay on it again: what was refused then stays unpaid.
  return charge.status === 'processing' ? { status: 'processing', intentId: intent.id } : { status: 'closed' };
}
