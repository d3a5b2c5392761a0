/** The payment port over the `square` SDK. */
import { SquareClient } from 'square';
import { config } from '../../../config.js';
import {
  type ChargeRefund,
  ChargeRefused,
  type ChargeState,
  type Credentials,
  OutcomeUnknown,
  type PaymentPort,
} from '../port.js';
import { shortKey } from '../shortKey.js';
import { refuseKeptCard, withoutKeptCards } from '../withoutKeptCards.js';
import { readSquareAccount, squareAddress } from './account.js';
import { callProvider, centsOf, moneyOf, refundOf, refusedCard, stateOf, translateError } from './answers.js';
import { squareDisputes } from './disputes.js';
import { readMarks, writeMarks } from './marks.js';
import { squareMovements } from './movements.js';
import { squarePages } from './pages.js';

/**
 * How long Square keeps an authorization that is not completed: until one hour after our last retry that could still
 * complete the payment.
 */
const AUTHORIZATION_LIFETIME = 'PT24H';

/**
 * Returns the port of one account. The retries of the SDK are turned off, because they would hide an unknown outcome.
 */
export function squarePort(credentials: Credentials): PaymentPort {
  const locationId = credentials['location_id'] ?? '';
  const square = new SquareClient({
    token: credentials.secret_key,
    baseUrl: squareAddress(),
    maxRetries: 0,
    timeoutInSeconds: config.STRIPE_TIMEOUT_SECONDS,
  });
  const paymentOf = async (paymentId: string) => (await square.payments.get({ paymentId })).payment;
  const readCharge = (paymentId: string): Promise<ChargeState> =>
    callProvider(async () => stateOf(await paymentOf(paymentId)));

  /**
   * Returns the current state of a payment after the provider refused an operation on the payment.
   * @param error the refusal
   * @throws the refusal itself if the payment is still waiting
   */
  async function currentStateOr(paymentId: string, error: unknown): Promise<ChargeState> {
    const refused = translateError(error);
    if (!(refused instanceof ChargeRefused)) throw refused;
    const state = await readCharge(paymentId);
    if (state.status === 'waiting') throw refused;
    return state;
  }

  return {
    readAccount: () => readSquareAccount(credentials),

    async openCharge({ amountCents, currency, reference, paymentMethod, isKept, idempotencyKey }) {
      refuseKeptCard(isKept);
      try {
        const { payment } = await square.payments.create({
          sourceId: paymentMethod,
          idempotencyKey: shortKey(idempotencyKey),
          amountMoney: moneyOf(amountCents, currency),
          autocomplete: false,
          delayDuration: AUTHORIZATION_LIFETIME,
          delayAction: 'CANCEL',
          acceptPartialAuthorization: false,
          locationId,
          ...(reference['attempt_id'] && { referenceId: reference['attempt_id'] }),
          note: writeMarks(reference),
        });
        const state = stateOf(payment);
        return state.status === 'declined' ? state : { status: 'opened', intentId: state.intentId };
      } catch (error) {
        const card = refusedCard(error);
        if (card) return { status: 'declined', ...card };
        throw translateError(error);
      }
    },

    // Cancels the payment that was opened under this idempotency key. The request succeeds even if no such payment
    // exists.
    closeOpening: ({ idempotencyKey }) =>
      callProvider(async () => {
        await square.payments.cancelByIdempotencyKey({ idempotencyKey: shortKey(idempotencyKey) });
        return null;
      }),

    async confirmCharge({ intentId }) {
      try {
        return stateOf((await square.payments.complete({ paymentId: intentId })).payment);
      } catch (error) {
        const card = refusedCard(error);
        return card ? { status: 'declined', intentId, ...card } : currentStateOr(intentId, error);
      }
    },

    readCharge,

    async cancelCharge(intentId) {
      try {
        return stateOf((await square.payments.cancel({ paymentId: intentId })).payment);
      } catch (error) {
        return currentStateOr(intentId, error);
      }
    },

    refundCharge: ({ intentId, amountCents, refundId, reference, idempotencyKey }) =>
      callProvider(async () => {
        const payment = await paymentOf(intentId);
        const { refund } = await square.refunds.refundPayment({
          idempotencyKey: shortKey(idempotencyKey),
          paymentId: intentId,
          amountMoney: moneyOf(amountCents, payment?.amountMoney?.currency ?? 'USD'),
          reason: writeMarks({
            refund_id: refundId,
            ...(reference['processor_id'] && { processor_id: reference['processor_id'] }),
          }),
        });
        if (!refund) throw new OutcomeUnknown('The provider answered without a refund.');
        return refundOf(refund);
      }),

    readRefunds: (intentId) =>
      callProvider(async () => {
        const refunds: ChargeRefund[] = [];
        for (const refundId of (await paymentOf(intentId))?.refundIds ?? []) {
          const { refund } = await square.refunds.get({ refundId });
          const refundRowId = readMarks(refund?.reason)['refund_id'] ?? null;
          if (refund)
            refunds.push({ ...refundOf(refund), amountCents: centsOf(refund.amountMoney), refundId: refundRowId });
        }
        return refunds;
      }),

    ...squareDisputes(square, locationId, paymentOf),
    ...squareMovements(square, locationId),
    ...withoutKeptCards,
    ...squarePages(square, locationId, paymentOf),
  };
}
