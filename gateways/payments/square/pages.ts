/** Hosted pages of Square: payment links, each with an order. */
import type { Square, SquareClient } from 'square';
import { ChargeRefused, type HostedPayment, type HostedState, OutcomeUnknown, type PaymentPort } from '../port.js';
import { shortKey } from '../shortKey.js';
import { refuseKeptCard } from '../withoutKeptCards.js';
import { callProvider, moneyOf, stateOf, translateError } from './answers.js';
import { hasMarks, writeMarks } from './marks.js';

/** Lifetime of a page. A link does not expire by itself; the workflow of the page closes it after this time. */
const LIFETIME_MS = 24 * 3_600_000;
/** Replaces the link id of an order whose link was deleted. */
const NO_LINK = 'none';

/** Returns the id of a page: link and order. Closing the page deletes the link, but the order can still be read. */
const sessionOf = (link: string, order: string): string => `${link}.${order}`;
const partsOf = (sessionId: string): { link: string; order: string } => {
  const [link = '', order = ''] = sessionId.split('.');
  return { link, order };
};

export function squarePages(
  square: SquareClient,
  locationId: string,
  paymentOf: (id: string) => Promise<Square.Payment | undefined>,
): Pick<PaymentPort, 'openHostedPayment' | 'findHostedPayments' | 'readHostedPayment' | 'expireHostedPayment'> {
  const read = (sessionId: string): Promise<HostedState> =>
    callProvider(async () => {
      const { order } = await square.orders.get({ orderId: partsOf(sessionId).order });
      const payments = (order?.tenders ?? []).flatMap(({ paymentId }) => (paymentId ? [paymentId] : []));
      const states = await Promise.all(payments.map(async (id) => pageState(await paymentOf(id))));
      const paidOrProcessing =
        states.find(({ status }) => status === 'paid') ?? states.find(({ status }) => status === 'processing');
      return paidOrProcessing ?? { status: order?.state === 'OPEN' || order?.state === 'DRAFT' ? 'open' : 'closed' };
    });

  return {
    openHostedPayment: ({ amountCents, currency, description, reference, idempotencyKey, doneUrl, keepsCard }) =>
      callProvider(async () => {
        refuseKeptCard(keepsCard);
        const { paymentLink: link } = await square.checkout.paymentLinks.create({
          idempotencyKey: shortKey(idempotencyKey),
          order: {
            locationId,
            ...(reference['attempt_id'] && { referenceId: reference['attempt_id'] }),
            metadata: reference,
            lineItems: [{ name: description, quantity: '1', basePriceMoney: moneyOf(amountCents, currency) }],
          },
          checkoutOptions: { redirectUrl: doneUrl, allowTipping: false, enableCoupon: false },
          paymentNote: writeMarks(reference),
        });
        if (!link?.id || !link.orderId) throw new OutcomeUnknown('The provider answered without a page.');
        return pageOf(link.id, link.orderId, link.url ?? null, link.createdAt);
      }),

    // Searches orders instead of links: a closed link is not listed any more, but the order of that link is.
    findHostedPayments: (reference, { from, to }) =>
      callProvider(async () => {
        const orders = await ordersOf(square, locationId, reference, { from, to });
        if (orders.length === 0) return [];
        const links = new Map<string, Square.PaymentLink>();
        for await (const link of await square.checkout.paymentLinks.list({})) {
          if (link.orderId && hasMarks(link.paymentNote, reference)) links.set(link.orderId, link);
        }
        return orders.map(({ id = '', createdAt }) => {
          const link = links.get(id);
          return pageOf(link?.id ?? NO_LINK, id, link?.url ?? null, link?.createdAt ?? createdAt);
        });
      }),

    readHostedPayment: read,

    async expireHostedPayment(sessionId) {
      const { link } = partsOf(sessionId);
      try {
        if (link !== NO_LINK) await square.checkout.paymentLinks.delete({ id: link });
      } catch (error) {
        // A refusal is expected if the page was paid, or was closed before. Its state is read below.
        const refused = translateError(error);
        if (!(refused instanceof ChargeRefused) || refused.failureCode === 'processor_credentials') throw refused;
      }
      const state = await read(sessionId);
      if (state.status === 'open') throw new OutcomeUnknown('The page is not closed yet.');
      return state;
    },
  };
}

const pageOf = (link: string, order: string, url: string | null, createdAt: string | undefined): HostedPayment => ({
  sessionId: sessionOf(link, order),
  url,
  expiresAt: new Date((createdAt ? Date.parse(createdAt) : Date.now()) + LIFETIME_MS),
});

async function ordersOf(
  square: SquareClient,
  locationId: string,
  reference: Record<string, string>,
  { from, to }: { from: Date; to: Date },
): Promise<Square.Order[]> {
  const matching: Square.Order[] = [];
  let cursor: string | undefined;
  do {
    const page = await square.orders.search({
      locationIds: [locationId],
      ...(cursor && { cursor }),
      limit: 500,
      query: {
        filter: { dateTimeFilter: { createdAt: { startAt: from.toISOString(), endAt: to.toISOString() } } },
        sort: { sortField: 'CREATED_AT', sortOrder: 'DESC' },
      },
    });
    const isOurs = ({ metadata }: Square.Order) =>
      Object.entries(reference).every(([name, value]) => metadata?.[name] === value);
    matching.push(...(page.orders ?? []).filter(isOurs));
    cursor = page.cursor;
  } while (cursor);
  return matching;
}

/** Returns the state of a page. A refused card leaves it open, because the payer may try another card. */
function pageState(payment: Square.Payment | undefined): HostedState {
  const charge = stateOf(payment);
  const currency = payment?.totalMoney?.currency?.toLowerCase() ?? null;
  if (charge.status === 'captured') return { ...charge, status: 'paid', currency, keptCard: null };
  return charge.status === 'processing' || charge.status === 'waiting'
    ? { status: 'processing', intentId: charge.intentId }
    : { status: 'open' };
}
