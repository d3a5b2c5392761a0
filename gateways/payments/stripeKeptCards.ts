/**
 * Cards that Stripe keeps. A kept card is a payment method of a customer. The hosted page creates one customer for each
 * card, so a card is forgotten together with its customer.
 */
import StripeSdk from 'stripe';
import { referenceOf, requireOwnId } from './events.js';
import {
  CARD_GONE,
  type ChargeReference,
  ChargeRefused,
  type FoundCharge,
  isRefusal,
  type PaymentPort,
} from './port.js';
import { callProvider } from './stripeAnswers.js';

export interface KeptCard {
  customer: string;
  paymentMethod: string;
}

const KEPT_CARD = /^(cus_\w{1,100}):(pm_\w{1,100}|card_\w{1,100}|src_\w{1,100})$/;

/** Writes a kept card as one token. */
const writeKeptCard = ({ customer, paymentMethod }: KeptCard): string => `${customer}:${paymentMethod}`;

/**
 * Reads the token of a kept card.
 * @throws ChargeRefused if it is not a token of Stripe
 */
export function readKeptCard(token: string): KeptCard {
  const [, customer, paymentMethod] = KEPT_CARD.exec(token) ?? [];
  if (!customer || !paymentMethod) throw new ChargeRefused('invalid_request', 'This is not a kept card of Stripe.');
  return { customer, paymentMethod };
}

/** Returns the token of the card that a paid intent kept; null if it kept none. */
export function keptCardOf(intent: StripeSdk.PaymentIntent): string | null {
  const { customer, payment_method: method, setup_future_usage: usage } = intent;
  if (usage !== 'off_session' || !customer || !method) return null;
  return writeKeptCard({ customer: idOf(customer), paymentMethod: idOf(method) });
}

const idOf = (value: string | { id: string }): string => (typeof value === 'string' ? value : value.id);

/** Reports whether Stripe still has the card. */
async function hasCard(stripe: StripeSdk, { customer, paymentMethod }: KeptCard): Promise<boolean> {
  try {
    const { customer: owner } = await callProvider(() => stripe.paymentMethods.retrieve(paymentMethod));
    return owner !== null && idOf(owner) === customer;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/**
 * Returns `card_gone` if Stripe refused a request because it no longer has the card. It answers with different errors
 * for a deleted customer and for a detached card, so the card itself is read.
 * @throws the refusal itself if the card still exists
 */
export async function goneOr(stripe: StripeSdk, card: KeptCard, error: unknown): Promise<typeof CARD_GONE> {
  if (isRefusal(error) && !(await hasCard(stripe, card))) return CARD_GONE;
  throw error;
}

/** Searching finds an intent less than a minute after its last change. The intents of this time are listed instead. */
const SEARCH_LAG_MS = 120_000;
const PAGE_SIZE = 100;

export function stripeKeptCards(stripe: StripeSdk): Pick<PaymentPort, 'findCharge' | 'forgetCard'> {
  const search = async (reference: ChargeReference, from: number, to: number): Promise<FoundCharge | null> => {
    const marks = Object.entries(reference).map(([name, id]) => `metadata['${name}']:'${requireOwnId(id)}'`);
    const query = [...marks, "status:'succeeded'", `created>=${from}`, `created<=${to}`].join(' AND ');
    const { data } = await callProvider(() =>
      stripe.paymentIntents.search({ query, limit: 1, expand: ['data.latest_charge'] }),
    );
    return data[0] ? foundCharge(data[0]) : null;
  };
  const list = (reference: ChargeReference, from: number, to: number): Promise<FoundCharge | null> =>
    callProvider(async () => {
      const period = { created: { gte: from, lte: to }, limit: PAGE_SIZE, expand: ['data.latest_charge'] };
      for await (const intent of stripe.paymentIntents.list(period)) {
        const isMarked = Object.entries(reference).every(([name, id]) => intent.metadata[name] === id);
        if (isMarked && intent.status === 'succeeded') return foundCharge(intent);
      }
      return null;
    });

  return {
    async findCharge(reference, { from, to }) {
      const [first, last] = [Math.floor(from.getTime() / 1000), Math.ceil(to.getTime() / 1000)];
      const recent = Math.max(first, Math.floor((Date.now() - SEARCH_LAG_MS) / 1000));
      const [newest, found] = await Promise.all([
        recent <= last ? list(reference, recent, last) : null,
        search(reference, first, last),
      ]);
      return newest ?? found;
    },

    async forgetCard(token) {
      const card = readKeptCard(token);
      // A refusal is expected if the card was deleted before. It is verified below.
      for (const remove of [
        () => stripe.paymentMethods.detach(card.paymentMethod),
        () => stripe.customers.del(card.customer),
      ])
        await callProvider<unknown>(remove).catch((error: unknown) => {
          if (!isRefusal(error)) throw error;
        });
      if (await hasCard(stripe, card)) throw new ChargeRefused('card_not_deleted', 'Stripe did not delete the card.');
    },
  };
}

function foundCharge(intent: StripeSdk.PaymentIntent): FoundCharge {
  const { latest_charge: charge, currency, metadata } = intent;
  return {
    intentId: intent.id,
    capturedCents: intent.amount_received,
    capturedAt: charge && typeof charge !== 'string' ? new Date(charge.created * 1000) : null,
    currency,
    reference: referenceOf(metadata),
  };
}
