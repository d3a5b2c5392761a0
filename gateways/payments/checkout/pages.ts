/**
 * Hosted pages of Checkout.com: payment links. A link cannot be closed, and is created without an idempotency key.
 * Therefore a payment on a link only authorizes the money, and we capture it only while the page may still be paid. A
 * link expires soon, and the workflow of the page waits until then.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  ChargeRefused,
  type ChargeState,
  type HostedPayment,
  type HostedState,
  OutcomeUnknown,
  type PaymentPort,
} from '../port.js';
import { callProvider, type Payment } from './answers.js';
import { keptCardOf, RECURRING } from './keptCards.js';
import { attemptOf, type Library } from './library.js';

/** The lifetime of a link. When the link has expired, its invoice can be paid in another way. */
const OPEN_SECONDS = 1_800;
/** The payer's country, which determines the payment methods on the page. Cards are offered in every country. */
const COUNTRY = 'US';
const MAX_DESCRIPTION = 100;
/** Maximum number of reads while an accepted capture is not visible yet. */
const MAX_READS = 5;
const READ_INTERVAL_MS = 100;

interface Link {
  id: string;
  /** Status of the link: Active, Payment Received or Expired. Absent for a new link. */
  status?: string;
  reference: string;
  expires_on: string;
  payment_id?: string;
  _links?: { redirect?: { href?: string } };
}

type Charges = Pick<PaymentPort, 'readCharge' | 'cancelCharge' | 'confirmCharge'>;

export function checkoutPages(
  { payments, links, channelId }: Library,
  { readCharge, cancelCharge, confirmCharge }: Charges,
): Pick<PaymentPort, 'openHostedPayment' | 'findHostedPayments' | 'readHostedPayment' | 'expireHostedPayment'> {
  /**
   * Returns all payments of the attempt to which the link belongs, including payments on other links of this attempt.
   */
  const paymentsOn = async ({ reference, status, payment_id: id }: Link): Promise<Payment[]> => {
    const list = await callProvider<{ data?: Payment[] }>(() => payments.getPaymentList({ reference, limit: 100 }));
    const paymentList = (list.data ?? []).filter((payment) => payment.reference === reference);
    if (id && !paymentList.some((payment) => payment.id === id))
      paymentList.push(await callProvider<Payment>(() => payments.get(id)));
    if (status === 'Payment Received' && paymentList.every((payment) => payment.status === 'Declined'))
      throw new OutcomeUnknown('The payment on the page is not visible yet.');
    return paymentList;
  };

  const capture = async (intentId: string): Promise<ChargeState> => {
    let state = await confirmCharge({ intentId, paymentMethod: '', idempotencyKey: `page:${intentId}` });
    for (let attempt = 0; attempt < MAX_READS && state.status === 'processing'; attempt += 1) {
      await pause(READ_INTERVAL_MS);
      state = await readCharge(intentId);
    }
    return state;
  };

  /**
   * Captures or voids the authorizations of a page, and returns the state of the page.
   * @param mayCapture true: one authorization may be captured, unless money was captured before. All other
   * authorizations are voided
   */
  const settlePage = async (id: string, mayCapture: boolean): Promise<HostedState> => {
    const link = await callProvider<Link>(() => links.get(requireLinkId(id)));
    const pagePayments = await paymentsOn(link);
    const states = await Promise.all(pagePayments.map((payment) => readCharge(payment.id)));
    let captured = states.find(isCapturedOrProcessing);
    for (const [at, state] of states.entries()) {
      if (pagePayments[at]?.status !== 'Authorized' || isCapturedOrProcessing(state)) continue;
      const next = mayCapture && !captured && state.status === 'waiting' ? await capture(state.intentId) : state;
      // The money is still only authorized, because we may not capture it or because the bank refused the capture. So
      // the authorization is voided.
      const after = isCapturedOrProcessing(next) ? next : await cancelCharge(state.intentId);
      if (isCapturedOrProcessing(after)) captured ??= after;
    }
    if (captured?.status === 'captured') {
      const { intentId } = captured;
      const payment = pagePayments.find(({ id: paymentId }) => paymentId === intentId);
      const currency = payment?.currency?.toLowerCase() ?? null;
      return { ...captured, status: 'paid', currency, keptCard: payment ? keptCardOf(payment) : null };
    }
    if (captured) return { status: 'processing', intentId: captured.intentId };
    return { status: link.status === 'Active' || pagePayments.some(isPendingPayment) ? 'open' : 'closed' };
  };

  return {
    openHostedPayment: async ({ amountCents, currency, description, reference, doneUrl, keepsCard }) =>
      pageOf(
        await callProvider<Link>(() =>
          links.create({
            amount: amountCents,
            currency: currency.toUpperCase(),
            reference: attemptOf(reference),
            description: Array.from(description).slice(0, MAX_DESCRIPTION).join(''),
            billing: { address: { country: COUNTRY } },
            allow_payment_methods: ['card'],
            processing_channel_id: channelId,
            expires_in: OPEN_SECONDS,
            capture: false,
            metadata: reference,
            // A recurring payment stores the card without a further field.
            ...(keepsCard && { payment_type: RECURRING }),
            return_url: doneUrl,
          }),
        ),
      ),

    // Returns no pages, because links cannot be listed. A link is harmless if the response to its creation got lost:
    // payers are never sent to this link, and a payment on it takes no money before we capture it.
    findHostedPayments: () => Promise.resolve([]),

    readHostedPayment: (id) => settlePage(id, true),

    /**
     * Voids all authorizations of the page. Returns `open` until the link has expired, because a link cannot be closed.
     */
    expireHostedPayment: (id) => settlePage(id, false),
  };
}

const isCapturedOrProcessing = ({ status }: ChargeState): boolean => status === 'captured' || status === 'processing';

/** Reports whether a payment is still pending because its payer may be confirming it on the bank's page. */
const isPendingPayment = ({ status, requested_on: at }: Payment): boolean =>
  status === 'Pending' && Date.now() - Date.parse(at ?? '') < OPEN_SECONDS * 1000;

const pageOf = ({ id, expires_on, _links }: Link): HostedPayment => ({
  sessionId: id,
  url: _links?.redirect?.href ?? null,
  expiresAt: new Date(expires_on),
});

/** Checks a link id, because it becomes a part of a URL. */
function requireLinkId(id: string): string {
  if (!/^pl_[\w-]{3,100}$/.test(id))
    throw new ChargeRefused('resource_missing', 'This is not the id of a payment link.');
  return id;
}
