/** The payment port over the `@paypal/paypal-server-sdk`. A charge is an order with its authorizations and captures. */
import { CheckoutPaymentIntent, type Order } from '@paypal/paypal-server-sdk';
import {
  ChargeRefused,
  type ChargeState,
  type Credentials,
  type OpenChargeResult,
  type OpenChargeRequest,
  OutcomeUnknown,
  type PaymentPort,
} from '../port.js';
import { shortKey } from '../shortKey.js';
import { refuseKeptCard, withoutKeptCards } from '../withoutKeptCards.js';
import { readPaypalAccount } from './account.js';
import {
  callProvider,
  authorizationOf,
  capturesOf,
  chargeRefundOf,
  idOf,
  isCaptured,
  moneyOf,
  AUTHENTICATION_REQUIRED,
  refundOf,
  refusalOf,
  refusedCard,
  stateOf,
  translateError,
} from './answers.js';
import { paypalLibrary } from './client.js';
import { paypalDisputes } from './disputes.js';
import { findAuthorizations } from './findAuthorizations.js';
import { writeMarks } from './marks.js';
import { paypalMovements } from './movements.js';
import { paypalPages } from './pages.js';

/**
 * How long a repeated idempotency key safely returns the same order. PayPal stores the key for six hours; one hour is a
 * margin.
 */
const KEY_LIFETIME_MS = 5 * 3_600_000;

/** Returns the port of one account. */
export function paypalPort(credentials: Credentials): PaymentPort {
  const ask = paypalLibrary(credentials);
  const orderOf = (id: string): Promise<Order> => ask(({ orders }) => orders.getOrder({ id: requireOrderId(id) }));
  const { refundsWithoutDisputes, ...disputes } = paypalDisputes(credentials, orderOf);
  const readCharge = (id: string): Promise<ChargeState> => callProvider(async () => stateOf(await orderOf(id)));

  const requestOrder = (opening: OpenChargeRequest): Promise<Order> =>
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

  /**
   * Returns the current state of an order after the provider refused an operation on the order.
   * @param error the refusal
   * @throws the refusal itself if the order is still waiting
   */
  async function currentStateOr(id: string, error: unknown): Promise<ChargeState> {
    const refused = translateError(error);
    if (!(refused instanceof ChargeRefused)) throw refused;
    const state = await readCharge(id);
    if (state.status === 'waiting') throw refused;
    return state;
  }

  const voidAuthorization = async (authorizationId: string): Promise<void> => {
    await ask(({ payments }) => payments.voidPayment({ authorizationId, prefer: 'return=minimal' }));
  };

  async function cancelCharge(id: string): Promise<ChargeState> {
    const order = await callProvider(() => orderOf(id));
    const state = stateOf(order);
    const authorization = authorizationOf(order);
    // The order has no authorization, and only we can authorize money for it. So it can never be captured.
    if (!authorization?.id) return state.status === 'waiting' ? { status: 'cancelled', intentId: idOf(order) } : state;
    if (String(authorization.status) !== 'CREATED' || state.status === 'captured' || state.status === 'processing')
      return state;
    try {
      await voidAuthorization(authorization.id);
    } catch (error) {
      return currentStateOr(id, error);
    }
    const after = await readCharge(id);
    if (after.status === 'waiting') throw new OutcomeUnknown('The authorization is not voided yet.');
    return after;
  }

  return {
    readAccount: () => readPaypalAccount(credentials),

    async openCharge(opening) {
      refuseKeptCard(opening.isKept);
      // After the idempotency key has expired, the same request would authorize the money a second time.
      if (isKeyExpired(opening))
        throw new ChargeRefused('gateway_unavailable', 'The provider could not be reached in time.');
      try {
        return openResultOf(await requestOrder(opening));
      } catch (error) {
        const card = refusedCard(error);
        if (card) return { status: 'declined', ...card };
        throw translateError(error);
      }
    },

    closeOpening: (opening) =>
      callProvider(async () => {
        if (isKeyExpired(opening)) {
          for (const authorizationId of await findAuthorizations(ask, opening))
            await voidAuthorization(authorizationId);
          return null;
        }
        // Send the lost request again under the same idempotency key. Then at most one order exists, and it is
        // cancelled below.
        const order = await requestOrder(opening).catch((error: unknown) => {
          const refused = refusedCard(error) ? null : translateError(error);
          if (refused instanceof ChargeRefused && refused.failureCode !== 'processor_credentials') return null;
          if (refused) throw refused;
          return null;
        });
        return order && cancelCharge(idOf(order));
      }),

    async confirmCharge({ intentId, idempotencyKey }) {
      const order = await callProvider(() => orderOf(intentId));
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
        return card ? { status: 'declined', intentId, ...card } : currentStateOr(intentId, error);
      }
      const after = await readCharge(intentId);
      // The capture was accepted, but is not visible yet.
      return after.status === 'waiting' ? { status: 'processing', intentId } : after;
    },

    readCharge,
    cancelCharge,

    refundCharge: ({ intentId, amountCents, refundId, reference, idempotencyKey }) =>
      callProvider(async () => {
        const capture = capturesOf(await orderOf(intentId)).find(isCaptured);
        if (!capture?.id) throw new ChargeRefused('refund_not_allowed', 'This charge captured no money.');
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

    readRefunds: (intentId) =>
      callProvider(async () => (await refundsWithoutDisputes(await orderOf(intentId))).map(chargeRefundOf)),

    ...disputes,
    ...paypalMovements(ask, credentials),
    ...withoutKeptCards,
    ...paypalPages(ask, orderOf),
  };
}

const isKeyExpired = ({ askedAt }: OpenChargeRequest): boolean =>
  askedAt !== null && Date.now() - askedAt.getTime() > KEY_LIFETIME_MS;

function openResultOf(order: Order): OpenChargeResult {
  const authorization = authorizationOf(order);
  if (!authorization) return { status: 'declined', ...AUTHENTICATION_REQUIRED };
  if (String(authorization.status) === 'DENIED')
    return { status: 'declined', ...refusalOf(authorization.processorResponse?.responseCode) };
  return { status: 'opened', intentId: idOf(order) };
}

/** Returns the source for a vaulted card, or for a vaulted PayPal account (`paypal:` and its id). */
function sourceOf(paymentMethod: string) {
  const [, wallet] = /^paypal:(.+)$/.exec(paymentMethod) ?? [];
  return wallet ? { paypal: { vaultId: wallet } } : { card: { vaultId: paymentMethod } };
}

/** Checks an order id, because it becomes a part of a URL. */
function requireOrderId(id: string): string {
  if (!/^[A-Z0-9]{10,40}$/.test(id)) throw new ChargeRefused('resource_missing', 'This is not the id of an order.');
  return id;
}
