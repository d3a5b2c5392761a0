/**
 * Cards that Checkout.com keeps. A kept card is an instrument and the payment with which its holder agreed: later
 * payments must name that payment.
 */
import { referenceOf, requireOwnId } from '../events.js';
import {
  CARD_GONE,
  ChargeRefused,
  type ChargeState,
  type FoundCharge,
  isRefusal,
  type PaymentPort,
  type Period,
} from '../port.js';
import { callProvider, type Payment } from './answers.js';
import type { Library } from './library.js';

const KEPT_CARD = /^(src_[a-z2-7]{26}):(pay_[a-z2-7]{26})$/;
/** The type of all payments of a pledge: of the first one, on the page, and of the later ones. */
export const RECURRING = 'Recurring';

/**
 * Reads the token of a kept card.
 * @throws ChargeRefused if it is not a token of Checkout.com
 */
function readKeptCard(token: string): { instrument: string; firstPayment: string } {
  const [, instrument, firstPayment] = KEPT_CARD.exec(token) ?? [];
  if (!instrument || !firstPayment)
    throw new ChargeRefused('invalid_request', 'This is not a kept card of Checkout.com.');
  return { instrument, firstPayment };
}

/** Returns the token of the card that a payment kept; null if it kept none. */
export function keptCardOf({ id, payment_type, source }: Payment): string | null {
  const token = `${source?.id ?? ''}:${id}`;
  return payment_type === RECURRING && KEPT_CARD.test(token) ? token : null;
}

/** Returns the fields of a payment with a kept card, whose holder is absent. */
export function keptSource(token: string) {
  const { instrument, firstPayment } = readKeptCard(token);
  return {
    source: { type: 'id', id: instrument },
    payment_type: RECURRING,
    merchant_initiated: true,
    previous_payment_id: firstPayment,
  };
}

/** Checkout.com searches only payments of the last ninety days. */
const MAX_SEARCH_MS = 89 * 86_400_000;
const MAX_RESULTS = 100;

/** Reports whether Checkout.com still has the card. */
async function hasCard({ instruments }: Library, token: string): Promise<boolean> {
  const { instrument } = readKeptCard(token);
  try {
    await callProvider(() => instruments.get(instrument));
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/**
 * Returns `card_gone` if a payment was refused because Checkout.com no longer has the card.
 * @throws the refusal itself if the card still exists
 */
export async function goneOr(library: Library, token: string, error: unknown): Promise<typeof CARD_GONE> {
  if (isRefusal(error) && !(await hasCard(library, token))) return CARD_GONE;
  throw error;
}

export function checkoutKeptCards(
  library: Library,
  readCharge: (intentId: string) => Promise<ChargeState>,
): Pick<PaymentPort, 'findCharge' | 'forgetCard'> {
  const { payments, instruments } = library;

  /** Lists the payments with these ids, newest first. A search is delayed; a list by the attempt is current. */
  const findPayments = async (reference: Record<string, string>, period: Period): Promise<Payment[]> => {
    const marks = Object.entries(reference);
    for (const [, id] of marks) requireOwnId(id);
    const attempt = reference['attempt_id'];
    const from = new Date(Math.max(period.from.getTime(), Date.now() - MAX_SEARCH_MS));
    if (from > period.to) return [];
    const query = marks.map(([name, id]) => `metadata.${name}:'${id}'`).join(' AND ');
    const { data = [] } = await callProvider<{ data?: Payment[] }>(() =>
      attempt
        ? payments.getPaymentList({ reference: attempt, limit: MAX_RESULTS })
        : payments.search({ query, limit: MAX_RESULTS, from: from.toISOString(), to: period.to.toISOString() }),
    );
    const isFound = ({ metadata, requested_on: at }: Payment) =>
      marks.every(([name, id]) => metadata?.[name] === id) &&
      Date.parse(at ?? '') >= from.getTime() &&
      Date.parse(at ?? '') <= period.to.getTime();
    return data
      .filter(isFound)
      .sort((one, other) => Date.parse(other.requested_on ?? '') - Date.parse(one.requested_on ?? ''));
  };

  return {
    async findCharge(reference, period): Promise<FoundCharge | null> {
      for (const { id, currency = 'USD', metadata = {} } of await findPayments(reference, period)) {
        const state = await readCharge(id);
        if (state.status !== 'captured') continue;
        const { intentId, capturedCents, capturedAt } = state;
        return {
          intentId,
          capturedCents,
          capturedAt,
          currency: currency.toLowerCase(),
          reference: referenceOf(metadata),
        };
      }
      return null;
    },

    async forgetCard(token) {
      const { instrument } = readKeptCard(token);
      try {
        await callProvider(() => instruments.delete(instrument));
      } catch (error) {
        // A refusal is expected if the card was deleted before.
        if (!isRefusal(error) || (await hasCard(library, token))) throw error;
      }
    },
  };
}
