/** The payment port over the `@paypal/paypal-server-sdk`. A charge is an order; what it holds and took hangs on it. */
import { CheckoutPaymentIntent, type Order } from '@paypal/paypal-server-sdk';
import {
  ChargeRefused,
  type ChargeState,
  type Credentials,
  type Opened,
  type Opening,
  OutcomeUnknown,
  type PaymentPort,
} from '../port.js';
import { shortKey } from '../shortKey.js';
import { readPaypalAccount } from './account.js';
import {
  asked,
  authorizationOf,
  capturesOf,
  chargeRefundOf,
  idOf,
  isTaken,
  moneyOf,
  NEEDS_HOLDER,
  refundOf,
  refusalOf,
  refusedCard,
  stateOf,
  understood,
} from './answers.js';
import { paypalLibrary } from './client.js';
import { paypalDisputes } from './disputes.js';
import { holdsOf } from './holds.js';
import { writeMarks } from './marks.js';
import { paypalMovements } from './movements.js';
import { paypalPages } from './pages.js';

/** PayPal keeps the key of an order for six hours: within five, the same key is the same order. */
const SAME_KEY_MS = 5 * 3_600_000;

/** Talks to one account. */
export function paypalPort(credentials: Credentials): PaymentPort {
  const ask = paypalLibrary(credentials);
  const orderOf = (id: string): Promise<Order> => ask(({ orders }) => orders.getOrder({ id: known(id) }));
  const { refundsApart, ...disputes } = paypalDisputes(credentials, orderOf);
  const readCharge = (id: string): Promise<ChargeState> => asked(async () => stateOf(await orderOf(id)));

  const request = (opening: Opening): Promise<Order> =>
    ask(({ orders }) =>
      orders.createOrder({
        paypalRequestId: shortKey(opening.idempotencyKey),
        prefer: 'return=representation',
        body: {
          intent: CheckoutPaymentIntent.Authorize,
          purchaseUnits: [
            { amount: moneyOf(opening.amountCents, opening.currency), customId: writeMarks(opening.reference) },
          ],
          paymentSource: sourceOf(opening.paymentMethod),
        },
      }),
    );

  /** What the provider does not want to do (any more) is told by the state that the order has by now. */
  async function orAsItIs(id: string, error: unknown): Promise<ChargeState> {
    const refused = understood(error);
    if (!(refused instanceof ChargeRefused)) throw refused;
    const state = await readCharge(id);
    if (state.status === 'waiting') throw refused;
    return state;
  }

  const letGo = async (authorizationId: string): Promise<void> => {
    await ask(({ payments }) => payments.voidPayment({ authorizationId, prefer: 'return=minimal' }));
  };

  async function cancelCharge(id: string): Promise<ChargeState> {
    const order = await asked(() => orderOf(id));
    const state = stateOf(order);
    const hold = authorizationOf(order);
    // Only we could have the bank hold anything under it.
    if (!hold?.id) return state.status === 'waiting' ? { status: 'cancelled', intentId: idOf(order) } : state;
    if (String(hold.status) !== 'CREATED' || state.status === 'captured' || state.status === 'processing') return state;
    try {
      await letGo(hold.id);
    } catch (error) {
      return orAsItIs(id, error);
    }
    const after = await readCharge(id);
    if (after.status === 'waiting') throw new OutcomeUnknown('The hold is not let go yet.');
    return after;
  }

  return {
    readAccount: () => readPaypalAccount(credentials),

    async openCharge(opening) {
      // A key that is forgotten would hold the money a second time.
      if (isLate(opening)) throw new ChargeRefused('gateway_unavailable', 'The provider could not be reached in time.');
      try {
        return openedBy(await request(opening));
      } catch (error) {
        const card = refusedCard(error);
        if (card) return { status: 'declined', ...card };
        throw understood(error);
      }
    },

    closeOpening: (opening) =>
      asked(async () => {
        if (isLate(opening)) {
          for (const hold of await holdsOf(ask, opening)) await letGo(hold);
          return null;
        }
        // Asked for once more under its key, there is one order that the lost request can only be answered with.
        const order = await request(opening).catch((error: unknown) => {
          const refused = refusedCard(error) ? null : understood(error);
          if (refused instanceof ChargeRefused && refused.failureCode !== 'processor_credentials') return null;
          if (refused) throw refused;
          return null;
        });
        return order && cancelCharge(idOf(order));
      }),

    async confirmCharge({ intentId, idempotencyKey }) {
      const order = await asked(() => orderOf(intentId));
      const state = stateOf(order);
      const authorizationId = authorizationOf(order)?.id;
      if (state.status !== 'waiting' || !authorizationId) return state;
      try {
        await ask(({ payments }) =>
          payments.captureAuthorizedPayment({
            authorizationId,
            paypalRequestId: shortKey(idempotencyKey),
            prefer: 'return=representation',
            body: { finalCapture: true },
          }),
        );
      } catch (error) {
        const card = refusedCard(error);
        return card ? { status: 'declined', intentId, ...card } : orAsItIs(intentId, error);
      }
      const after = await readCharge(intentId);
      // Accepted, and not to be seen yet.
      return after.status === 'waiting' ? { status: 'processing', intentId } : after;
    },

    readCharge,
    cancelCharge,

    refundCharge: ({ intentId, amountCents, refundId, reference, idempotencyKey }) =>
      asked(async () => {
        const capture = capturesOf(await orderOf(intentId)).find(isTaken);
        if (!capture?.id) throw new ChargeRefused('refund_not_allowed', 'Nothing was taken by this charge.');
        const captureId = capture.id;
        const { processor_id } = reference;
        const refund = await ask(({ payments }) =>
          payments.refundCapturedPayment({
            captureId,
            paypalRequestId: shortKey(idempotencyKey),
            prefer: 'return=representation',
            body: {
              amount: moneyOf(amountCents, capture.amount?.currencyCode ?? 'USD'),
              customId: writeMarks({ refund_id: refundId, ...(processor_id && { processor_id }) }),
            },
          }),
        );
        return refundOf(refund);
      }),

    readRefunds: (intentId) => asked(async () => (await refundsApart(await orderOf(intentId))).map(chargeRefundOf)),

    ...disputes,
    ...paypalMovements(ask, credentials),
    ...paypalPages(ask, orderOf),
  };
}

const isLate = ({ askedAt }: Opening): boolean => askedAt !== null && Date.now() - askedAt.getTime() > SAME_KEY_MS;

function openedBy(order: Order): Opened {
  const hold = authorizationOf(order);
  if (!hold) return { status: 'declined', ...NEEDS_HOLDER };
  if (String(hold.status) === 'DENIED')
    return { status: 'declined', ...refusalOf(hold.processorResponse?.responseCode) };
  return { status: 'opened', intentId: idOf(order) };
}

/** A card that PayPal keeps, or `paypal:` and an account that it keeps. */
function sourceOf(paymentMethod: string) {
  const [, wallet] = /^paypal:(.+)$/.exec(paymentMethod) ?? [];
  return wallet ? { paypal: { vaultId: wallet } } : { card: { vaultId: paymentMethod } };
}

/** It becomes a part of an address. */
function known(id: string): string {
  if (!/^[A-Z0-9]{10,40}$/.test(id)) throw new ChargeRefused('resource_missing', 'This is no order of theirs.');
  return id;
}
