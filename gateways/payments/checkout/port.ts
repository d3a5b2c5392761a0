/** The payment port over the `checkout-sdk-node` library. */
import { setTimeout as pause } from 'node:timers/promises';
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
import { readAccount } from './account.js';
import {
  type Action,
  asked,
  isNotAllowed,
  NEEDS_HOLDER,
  type Payment,
  refundOf,
  refusalOf,
  stateOf,
  understood,
} from './answers.js';
import { checkoutDisputes } from './disputes.js';
import { attemptOf, checkoutLibrary, knownPayment } from './library.js';
import { checkoutMovements } from './movements.js';
import { checkoutPages } from './pages.js';

/** Looks until a hold that was let go is read as gone. */
const LOOKS = 5;
const BETWEEN_LOOKS_MS = 100;

/** Talks to one account. */
export function checkoutPort(credentials: Credentials): PaymentPort {
  const library = checkoutLibrary(credentials);
  const { payments, channelId } = library;

  const actionsOf = async (intentId: string): Promise<Action[]> => {
    const actions = await asked<Action[]>(() => payments.getActions(knownPayment(intentId)));
    // Newest first, as they come.
    return Array.isArray(actions) ? actions.toReversed() : [];
  };
  const readCharge = async (intentId: string): Promise<ChargeState> => {
    const payment = await asked<Payment>(() => payments.get(knownPayment(intentId)));
    return stateOf(payment, await actionsOf(intentId));
  };
  const findPayment = async (opening: Opening): Promise<Payment | null> => {
    const reference = attemptOf(opening.reference);
    const { data = [] } = await asked<{ data?: Payment[] }>(() => payments.getPaymentList({ reference, limit: 10 }));
    return data.find((payment) => payment.reference === reference) ?? null;
  };
  const request = (opening: Opening): Promise<Payment> =>
    asked<Payment>(() =>
      payments.request(
        {
          source: sourceOf(opening.paymentMethod),
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
      // Without a key: letting go twice does no more, and a remembered answer would hide that it was not done.
      await payments.void(knownPayment(intentId), {});
    } catch (error) {
      if (error instanceof ChargeRefused) throw error;
      if (!isNotAllowed(error)) throw understood(error);
    }
    for (let look = 0; look < LOOKS; look += 1) {
      const state = await readCharge(intentId);
      if (state.status === 'cancelled' || state.status === 'captured' || state.status === 'processing') return state;
      // Refused with its first step, it holds nothing that could be let go; or it was let go since it was read.
      if (state.status === 'declined' && !(await isHeld(intentId))) return readCharge(intentId);
      await pause(BETWEEN_LOOKS_MS);
    }
    throw new OutcomeUnknown('The hold is not let go yet.');
  };
  const isHeld = async (intentId: string) =>
    (await asked<Payment>(() => payments.get(knownPayment(intentId)))).status === 'Authorized';

  const confirmCharge: PaymentPort['confirmCharge'] = async ({ intentId, idempotencyKey }) => {
    try {
      await payments.capture(knownPayment(intentId), { capture_type: 'Final' }, shortKey(idempotencyKey));
    } catch (error) {
      if (error instanceof ChargeRefused) throw error;
      // It is captured, let go or refused already: it says so itself.
      if (!isNotAllowed(error)) throw understood(error);
    }
    const state = await readCharge(intentId);
    // Accepted, and not to be seen yet.
    return state.status === 'waiting' ? { status: 'processing', intentId } : state;
  };

  return {
    readAccount: () => readAccount(credentials),

    async openCharge(opening) {
      // Its key is remembered only once it went well: what may have been asked for is looked for first.
      const before = opening.askedAt ? await findPayment(opening) : null;
      return openedBy(before ?? (await request(opening)));
    },

    async closeOpening(opening) {
      // Asked for once more under its key, there is one payment that the lost request can only be answered with.
      const payment =
        (await findPayment(opening)) ?? (await orRefused(request(opening))) ?? (await findPayment(opening));
      return payment && cancelCharge(payment.id);
    },

    confirmCharge,
    readCharge,
    cancelCharge,

    async refundCharge({ intentId, amountCents, refundId, reference, idempotencyKey }) {
      const made = async () => (await actionsOf(intentId)).filter(isRefund).find((one) => one.reference === refundId);
      const before = await made();
      if (before) return refundOf(before);
      const body = { amount: amountCents, reference: refundId, metadata: { ...reference, refund_id: refundId } };
      let accepted: { action_id: string };
      try {
        accepted = (await payments.refund(knownPayment(intentId), body, shortKey(idempotencyKey))) as {
          action_id: string;
        };
      } catch (error) {
        if (isNotAllowed(error)) throw new ChargeRefused('refund_not_allowed', 'This payment cannot be given back.');
        throw understood(error);
      }
      return { status: 'pending', gatewayRefundId: accepted.action_id, failureCode: null };
    },

    readRefunds: async (intentId) => (await actionsOf(intentId)).filter(isRefund).map(refundOf),

    ...checkoutDisputes(library),
    ...checkoutMovements(library),
    ...checkoutPages(library, { readCharge, cancelCharge, confirmCharge }),
  };
}

const isRefund = ({ type }: Action): boolean => type === 'Refund';

const openedBy = (payment: Payment): Opened => {
  if (payment.status === 'Declined') return { status: 'declined', ...refusalOf(payment) };
  if (payment.status === 'Pending') return { status: 'declined', ...NEEDS_HOLDER };
  return { status: 'opened', intentId: payment.id };
};

const orRefused = (request: Promise<Payment>): Promise<Payment | null> =>
  request.catch((error: unknown) => {
    if (error instanceof ChargeRefused && error.failureCode !== 'processor_credentials') return null;
    throw error;
  });

/** A saved card, or the token of one that was typed in. */
const sourceOf = (paymentMethod: string) =>
  paymentMethod.startsWith('src_') ? { type: 'id', id: paymentMethod } : { type: 'token', token: paymentMethod };
