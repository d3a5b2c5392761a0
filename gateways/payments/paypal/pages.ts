/** Hosted pages of PayPal: orders that the payer approves there, and that are captured by us once that is done. */
import { CheckoutPaymentIntent, type Order, PatchOp } from '@paypal/paypal-server-sdk';
import { ChargeRefused, type HostedPayment, type HostedState, OutcomeUnknown, type PaymentPort } from '../port.js';
import { shortKey } from '../shortKey.js';
import { asked, capturesOf, idOf, isTaken, moneyOf, refusedCard, stateOf, understood } from './answers.js';
import type { Ask } from './client.js';
import { writeMarks } from './marks.js';

/** PayPal takes an approval for three hours. */
const OPEN_FOR_MS = 3 * 3_600_000;

export function paypalPages(
  ask: Ask,
  orderOf: (id: string) => Promise<Order>,
): Pick<PaymentPort, 'openHostedPayment' | 'findHostedPayments' | 'readHostedPayment' | 'expireHostedPayment'> {
  const capture = async (id: string): Promise<Order> => {
    try {
      // Without a key: an order is captured once, and a refusal that is remembered would come back for ever.
      return await ask(({ orders }) => orders.captureOrder({ id, prefer: 'return=representation' }));
    } catch (error) {
      const refused = refusedCard(error) ? null : understood(error);
      if (refused && !isMerelyRefused(refused)) throw refused;
      // Its holder may choose another card; or it was captured or closed since it was read.
      return orderOf(id);
    }
  };

  return {
    // One key for an attempt: an order whose answer got lost is the one that is opened when it is asked for again.
    openHostedPayment: ({ amountCents, currency, description, reference, idempotencyKey, returnUrl }) =>
      asked(async () => {
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
              // Not as a source of payment: then the order could not be changed, and so not be closed.
              applicationContext: {
                returnUrl: `${returnUrl}?payment=done`,
                cancelUrl: returnUrl,
                shippingPreference: 'NO_SHIPPING' as never,
                userAction: 'PAY_NOW' as never,
              },
            },
          }),
        );
        return pageOf(order);
      }),

    // Orders cannot be listed. One that nobody heard of takes nothing: only we capture, and only what we know.
    findHostedPayments: () => Promise.resolve([]),

    readHostedPayment: (id) =>
      asked(async () => {
        const order = await orderOf(id);
        return pageState(isApproved(order) ? await capture(id) : order);
      }),

    /** Of an order that is to be authorized nothing can be captured, whoever has approved it. */
    expireHostedPayment: (id) =>
      asked(async () => {
        try {
          const body = [{ op: PatchOp.Replace, path: '/intent', value: CheckoutPaymentIntent.Authorize }];
          await ask(({ orders }) => orders.patchOrder({ id, body }));
        } catch (error) {
          const refused = understood(error);
          if (!isMerelyRefused(refused)) throw refused;
          // PayPal forgets what nobody has approved.
          if (refused.failureCode === 'resource_missing') return { status: 'closed' };
        }
        const state = pageState(await orderOf(id));
        if (state.status === 'open') throw new OutcomeUnknown('The page is not closed yet.');
        return state;
      }),
  };
}

const isMerelyRefused = (error: Error): error is ChargeRefused =>
  error instanceof ChargeRefused && error.failureCode !== 'processor_credentials';

const isOpen = ({ intent, status }: Order): boolean => String(intent) === 'CAPTURE' && String(status) !== 'VOIDED';
const isApproved = (order: Order): boolean => isOpen(order) && String(order.status) === 'APPROVED';

function pageOf(order: Order): HostedPayment {
  const link = order.links?.find(({ rel }) => rel === 'approve' || rel === 'payer-action');
  const opened = order.createTime ? Date.parse(order.createTime) : Date.now();
  return { sessionId: idOf(order), url: link?.href ?? null, expiresAt: new Date(opened + OPEN_FOR_MS) };
}

/** Whoever is refused may try another card there. */
function pageState(order: Order): HostedState {
  const charge = stateOf(order);
  if (charge.status === 'captured') {
    const currency = capturesOf(order).find(isTaken)?.amount?.currencyCode.toLowerCase() ?? null;
    return { status: 'paid', intentId: charge.intentId, capturedCents: charge.capturedCents, currency };
  }
  if (charge.status === 'processing') return { status: 'processing', intentId: charge.intentId };
  return { status: isOpen(order) ? 'open' : 'closed' };
}
