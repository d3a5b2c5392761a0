/** Hosted pages of PayPal: orders that the payer approves there, and that we capture afterwards. */
import { CheckoutPaymentIntent, type Order, PatchOp } from '@paypal/paypal-server-sdk';
import { ChargeRefused, type HostedPayment, type HostedState, OutcomeUnknown, type PaymentPort } from '../port.js';
import { shortKey } from '../shortKey.js';
import { refuseKeptCard } from '../withoutKeptCards.js';
import {
  callProvider,
  capturesOf,
  idOf,
  isCaptured,
  moneyOf,
  refusedCard,
  stateOf,
  translateError,
} from './answers.js';
import type { RunRequest } from './client.js';
import { writeMarks } from './marks.js';

/** Lifetime of a page: an approval is valid for three hours. */
const LIFETIME_MS = 3 * 3_600_000;

export function paypalPages(
  ask: RunRequest,
  orderOf: (id: string) => Promise<Order>,
): Pick<PaymentPort, 'openHostedPayment' | 'findHostedPayments' | 'readHostedPayment' | 'expireHostedPayment'> {
  const capture = async (id: string): Promise<Order> => {
    try {
      // Sent without an idempotency key, because an order can be captured only once anyway. With a key, PayPal would
      // repeat a refusal even after the cause of the refusal is gone.
      return await ask(({ orders }) => orders.captureOrder({ id, prefer: 'return=representation' }));
    } catch (error) {
      const refused = refusedCard(error) ? null : translateError(error);
      if (refused && !isRequestRefused(refused)) throw refused;
      // Read the order again: the payer may still choose another card, or the order may have been captured or closed in
      // the meantime.
      return orderOf(id);
    }
  };

  return {
    // Each attempt has one idempotency key: if the response to a creation gets lost, the repeated request returns the
    // same order.
    openHostedPayment: ({
      amountCents,
      currency,
      description,
      reference,
      idempotencyKey,
      doneUrl,
      cancelUrl,
      keepsCard,
    }) =>
      callProvider(async () => {
        refuseKeptCard(keepsCard);
        const attempt = reference['attempt_id'];
        const order = await ask(({ orders }) =>
          orders.createOrder({
            paypalRequestId: shortKey(attempt ? `page:${attempt}` : idempotencyKey),
            prefer: 'return=representation',
            body: {
              intent: CheckoutPaymentIntent.Capture,
              purchaseUnits: [
                {
                  amount: moneyOf(amountCents, currency),
                  description: Array.from(description).slice(0, 127).join(''),
                  customId: writeMarks(reference),
                },
              ],
              // These options are not sent as `paymentSource`: with it the order could not be changed any more, and
              // changing the order is how a page is closed.
              applicationContext: {
                returnUrl: doneUrl,
                cancelUrl,
                shippingPreference: 'NO_SHIPPING' as never,
                userAction: 'PAY_NOW' as never,
              },
            },
          }),
        );
        return pageOf(order);
      }),

    // Returns no pages, because orders cannot be listed. An order is harmless if the response to its creation got lost:
    // only we capture, and we capture only orders that we know.
    findHostedPayments: () => Promise.resolve([]),

    readHostedPayment: (id) =>
      callProvider(async () => {
        const order = await orderOf(id);
        return pageState(isApproved(order) ? await capture(id) : order);
      }),

    /**
     * Closes the page by changing the intent of the order to AUTHORIZE. After that the order cannot be captured, even
     * if the payer has approved it.
     */
    expireHostedPayment: (id) =>
      callProvider(async () => {
        try {
          const body = [{ op: PatchOp.Replace, path: '/intent', value: CheckoutPaymentIntent.Authorize }];
          await ask(({ orders }) => orders.patchOrder({ id, body }));
        } catch (error) {
          const refused = translateError(error);
          if (!isRequestRefused(refused)) throw refused;
          // PayPal deletes orders that are never approved, so a missing order is a closed page.
          if (refused.failureCode === 'resource_missing') return { status: 'closed' };
        }
        const state = pageState(await orderOf(id));
        if (state.status === 'open') throw new OutcomeUnknown('The page is not closed yet.');
        return state;
      }),
  };
}

const isRequestRefused = (error: Error): error is ChargeRefused =>
  error instanceof ChargeRefused && error.failureCode !== 'processor_credentials';

const isOpen = ({ intent, status }: Order): boolean => String(intent) === 'CAPTURE' && String(status) !== 'VOIDED';
const isApproved = (order: Order): boolean => isOpen(order) && String(order.status) === 'APPROVED';

function pageOf(order: Order): HostedPayment {
  const link = order.links?.find(({ rel }) => rel === 'approve' || rel === 'payer-action');
  const openedAt = order.createTime ? Date.parse(order.createTime) : Date.now();
  return { sessionId: idOf(order), url: link?.href ?? null, expiresAt: new Date(openedAt + LIFETIME_MS) };
}

/** Returns the state of a page. A refused card leaves it open, because the payer may try another card. */
function pageState(order: Order): HostedState {
  const charge = stateOf(order);
  if (charge.status === 'captured') {
    const currency = capturesOf(order).find(isCaptured)?.amount?.currencyCode.toLowerCase() ?? null;
    return { ...charge, status: 'paid', currency, keptCard: null };
  }
  if (charge.status === 'processing') return { status: 'processing', intentId: charge.intentId };
  return { status: isOpen(order) ? 'open' : 'closed' };
}
