/** The payment port over the `checkout-sdk-node` library. */
import { setTimeout as pause } from 'node:timers/promises';
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
import { readAccount } from './account.js';
import {
  type Action,
  callProvider,
  isNotAllowed,
  AUTHENTICATION_REQUIRED,
  type Payment,
  refundOf,
  refusalOf,
  stateOf,
  translateError,
} from './answers.js';
import { checkoutDisputes } from './disputes.js';
import { checkoutKeptCards, goneOr, keptSource } from './keptCards.js';
import { attemptOf, checkoutLibrary, requirePaymentId } from './library.js';
import { checkoutMovements } from './movements.js';
import { checkoutPages } from './pages.js';

/** Maximum number of reads while a voided authorization is not visible yet. */
const MAX_READS = 5;
const READ_INTERVAL_MS = 100;

/** Returns the port of one account. */
export function checkoutPort(credentials: Credentials): PaymentPort {
  const library = checkoutLibrary(credentials);
  const { payments, channelId } = library;

  const actionsOf = async (intentId: string): Promise<Action[]> => {
    const actions = await callProvider<Action[]>(() => payments.getActions(requirePaymentId(intentId)));
    // The API lists the newest action first, so reverse the order.
    return Array.isArray(actions) ? actions.toReversed() : [];
  };
  const readCharge = async (intentId: string): Promise<ChargeState> => {
    const payment = await callProvider<Payment>(() => payments.get(requirePaymentId(intentId)));
    return stateOf(payment, await actionsOf(intentId));
  };
  const findPayment = async (opening: OpenChargeRequest): Promise<Payment | null> => {
    const reference = attemptOf(opening.reference);
    const { data = [] } = await callProvider<{ data?: Payment[] }>(() =>
      payments.getPaymentList({ reference, limit: 10 }),
    );
    return data.find((payment) => payment.reference === reference) ?? null;
  };
  const requestPayment = (opening: OpenChargeRequest): Promise<Payment> =>
    callProvider<Payment>(() =>
      payments.request(
        {
          ...sourceOf(opening),
          amount: opening.amountCents,
          currency: opening.currency.toUpperCase(),
          reference: attemptOf(opening.reference),
          processing_channel_id: channelId,
          capture: false,
          metadata: opening.reference,
        },
        shortKey(opening.idempotencyKey),
      ),
    );
  const cancelCharge = async (intentId: string): Promise<ChargeState> => {
    try {
      // Sent without an idempotency key: voiding twice is harmless, and a replayed answer would hide that the payment
      // was not voided.
      await payments.void(requirePaymentId(intentId), {});
    } catch (error) {
      if (error instanceof ChargeRefused) throw error;
      if (!isNotAllowed(error)) throw translateError(error);
    }
    for (let attempt = 0; attempt < MAX_READS; attempt += 1) {
      const state = await readCharge(intentId);
      if (state.status === 'cancelled' || state.status === 'captured' || state.status === 'processing') return state;
      // A declined payment without an authorization has nothing to void. Its state is read again, because the payment
      // may have been voided since the last read.
      if (state.status === 'declined' && !(await isAuthorized(intentId))) return readCharge(intentId);
      await pause(READ_INTERVAL_MS);
    }
    throw new OutcomeUnknown('The authorization is not voided yet.');
  };
  const isAuthorized = async (intentId: string) =>
    (await callProvider<Payment>(() => payments.get(requirePaymentId(intentId)))).status === 'Authorized';

  const confirmCharge: PaymentPort['confirmCharge'] = async ({ intentId, idempotencyKey }) => {
    try {
      await payments.capture(requirePaymentId(intentId), { capture_type: 'Final' }, shortKey(idempotencyKey));
    } catch (error) {
      if (error instanceof ChargeRefused) throw error;
      // A 403 means that the payment is already captured, voided or refused. The state that is read below tells which.
      if (!isNotAllowed(error)) throw translateError(error);
    }
    const state = await readCharge(intentId);
    // The capture was accepted, but is not visible yet.
    return state.status === 'waiting' ? { status: 'processing', intentId } : state;
  };

  return {
    readAccount: () => readAccount(credentials),

    async openCharge(opening) {
      // Checkout.com remembers an idempotency key only if the request succeeded. So first search for the payment that
      // an earlier request may have created.
      const existing = opening.askedAt ? await findPayment(opening) : null;
      try {
        return openResultOf(existing ?? (await requestPayment(opening)));
      } catch (error) {
        if (!opening.isKept) throw error;
        return { status: 'declined', ...(await goneOr(library, opening.paymentMethod, error)) };
      }
    },

    async closeOpening(opening) {
      // If no payment is found, send the lost request again under the same idempotency key. Then at most one payment
      // exists, and it is cancelled below.
      const payment =
        (await findPayment(opening)) ?? (await nullIfRefused(requestPayment(opening))) ?? (await findPayment(opening));
      return payment && cancelCharge(payment.id);
    },

    confirmCharge,
    readCharge,
    cancelCharge,

    async refundCharge({ intentId, amountCents, refundId, reference, idempotencyKey }) {
      const findRefund = async () =>
        (await actionsOf(intentId)).filter(isRefund).find((one) => one.reference === refundId);
      const existing = await findRefund();
      if (existing) return refundOf(existing);
      const body = { amount: amountCents, reference: refundId, metadata: { ...reference, refund_id: refundId } };
      let accepted: { action_id: string };
      try {
        accepted = (await payments.refund(requirePaymentId(intentId), body, shortKey(idempotencyKey))) as {
          action_id: string;
        };
      } catch (error) {
        if (isNotAllowed(error)) throw new ChargeRefused('refund_not_allowed', 'This payment cannot be refunded.');
        throw translateError(error);
      }
      return { status: 'pending', gatewayRefundId: accepted.action_id, failureCode: null };
    },

    readRefunds: async (intentId) => (await actionsOf(intentId)).filter(isRefund).map(refundOf),

    ...checkoutDisputes(library),
    ...checkoutMovements(library),
    ...checkoutKeptCards(library, readCharge),
    ...checkoutPages(library, { readCharge, cancelCharge, confirmCharge }),
  };
}

const isRefund = ({ type }: Action): boolean => type === 'Refund';

const openResultOf = (payment: Payment): OpenChargeResult => {
  if (payment.status === 'Declined') return { status: 'declined', ...refusalOf(payment) };
  if (payment.status === 'Pending') return { status: 'declined', ...AUTHENTICATION_REQUIRED };
  return { status: 'opened', intentId: payment.id };
};

const nullIfRefused = (request: Promise<Payment>): Promise<Payment | null> =>
  request.catch((error: unknown) => {
    if (error instanceof ChargeRefused && error.failureCode !== 'processor_credentials') return null;
    throw error;
  });

/** Returns the source of a payment: a kept card, a saved card, or the token of a card that was typed in. */
function sourceOf({ paymentMethod, isKept }: OpenChargeRequest) {
  if (isKept) return keptSource(paymentMethod);
  const source = paymentMethod.startsWith('src_')
    ? { type: 'id', id: paymentMethod }
    : { type: 'token', token: paymentMethod };
  return { source };
}
