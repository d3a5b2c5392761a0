/**
 * Hosted pages of Checkout.com: payment links. A link cannot be closed, and is asked for without a key. So it merely holds the money, which
 * only we take, and only while the page is to be paid; and it ends by itself soon, which its process waits for.
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
import { asked, type Payment } from './answers.js';
import { attemptOf, type Library } from './library.js';

/** Nobody waits for longer before what an earlier page was for is paid in another way. */
const OPEN_SECONDS = 1_800;
/** It says which ways of paying are offered: cards are, everywhere. */
const COUNTRY = 'US';
const LONGEST_DESCRIPTION = 100;
/** Looks until what was accepted is done. */
const LOOKS = 5;
const BETWEEN_LOOKS_MS = 100;

interface Link {
  id: string;
  /** Active, Payment Received or Expired; a link that was just made says none. */
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
  /** What was paid on any link of the same attempt. */
  const paymentsOn = async ({ reference, status, payment_id: id }: Link): Promise<Payment[]> => {
    const list = await asked<{ data?: Payment[] }>(() => payments.getPaymentList({ reference, limit: 100 }));
    const made = (list.data ?? []).filter((payment) => payment.reference === reference);
    if (id && !made.some((payment) => payment.id === id)) made.push(await asked<Payment>(() => payments.get(id)));
    if (status === 'Payment Received' && made.every((payment) => payment.status === 'Declined'))
      throw new OutcomeUnknown('What was paid on the page cannot be seen yet.');
    return made;
  };

  const take = async (intentId: string): Promise<ChargeState> => {
    let state = await confirmCharge({ intentId, paymentMethod: '', idempotencyKey: `page:${intentId}` });
    for (let look = 0; look < LOOKS && state.status === 'processing'; look += 1) {
      await pause(BETWEEN_LOOKS_MS);
      state = await readCharge(intentId);
    }
    return state;
  };

  /** @param mayTake of what is held, one is taken, unless one was; else, and of the others, it is let go */
  const look = async (id: string, mayTake: boolean): Promise<HostedState> => {
    const link = await asked<Link>(() => links.get(known(id)));
    const made = await paymentsOn(link);
    const states = await Promise.all(made.map((payment) => readCharge(payment.id)));
    let taken = states.find(isTaken);
    for (const [at, state] of states.entries()) {
      if (made[at]?.status !== 'Authorized' || isTaken(state)) continue;
      const next = mayTake && !taken && state.status === 'waiting' ? await take(state.intentId) : state;
      // Held still, it is not wanted, or the bank did not give it.
      const after = isTaken(next) ? next : await cancelCharge(state.intentId);
      if (isTaken(after)) taken ??= after;
    }
    if (taken?.status === 'captured') {
      const { intentId, capturedCents } = taken;
      const currency = made.find((payment) => payment.id === intentId)?.currency?.toLowerCase() ?? null;
      return { status: 'paid', intentId, capturedCents, currency };
    }
    if (taken) return { status: 'processing', intentId: taken.intentId };
    return { status: link.status === 'Active' || made.some(isBeingMade) ? 'open' : 'closed' };
  };

  return {
    openHostedPayment: async ({ amountCents, currency, description, reference, returnUrl }) =>
      pageOf(
        await asked<Link>(() =>
          links.create({
            amount: amountCents,
            currency: currency.toUpperCase(),
            reference: attemptOf(reference),
            description: Array.from(description).slice(0, LONGEST_DESCRIPTION).join(''),
            billing: { address: { country: COUNTRY } },
            allow_payment_methods: ['card'],
            processing_channel_id: channelId,
            expires_in: OPEN_SECONDS,
            capture: false,
            metadata: reference,
            return_url: `${returnUrl}?payment=done`,
          }),
        ),
      ),

    // Links cannot be listed. One that nobody heard of takes nothing: nobody is led to it, and only we take.
    findHostedPayments: () => Promise.resolve([]),

    readHostedPayment: (id) => look(id, true),

    /** Whatever is held on it is let go. It says `open` until it has ended by itself. */
    expireHostedPayment: (id) => look(id, false),
  };
}

const isTaken = ({ status }: ChargeState): boolean => status === 'captured' || status === 'processing';

/** Its holder is at their bank's page: for as long as a link is open, that may become a hold. */
const isBeingMade = ({ status, requested_on: at }: Payment): boolean =>
  status === 'Pending' && Date.now() - Date.parse(at ?? '') < OPEN_SECONDS * 1000;

const pageOf = ({ id, expires_on, _links }: Link): HostedPayment => ({
  sessionId: id,
  url: _links?.redirect?.href ?? null,
  expiresAt: new Date(expires_on),
});

/** It becomes a part of an address. */
function known(id: string): string {
  if (!/^pl_[\w-]{3,100}$/.test(id)) throw new ChargeRefused('resource_missing', 'This is no page of theirs.');
  return id;
}
