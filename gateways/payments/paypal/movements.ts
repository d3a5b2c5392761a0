/** What moved in an account of PayPal's: its list of transactions, which is hours behind, and of which charge each is. */
import { z } from 'zod';
import {
  ChargeRefused,
  type Credentials,
  type MovementPage,
  OutcomeUnknown,
  type PaymentPort,
  type Period,
} from '../port.js';
import { readPaypal } from './account.js';
import { asked, understood } from './answers.js';
import type { Ask } from './client.js';
import { movementsOf, toldBy } from './transactions.js';

/** Few enough that asking what each is of takes seconds. */
const PAGE = 100;
const AT_ONCE = 5;
/** PayPal lists ten thousand at most: what holds more is asked for in halves. */
const WINDOW_SECONDS = 24 * 3600;

/** A page of a part of the period, all by seconds since 1970: PayPal's lists know nothing finer. */
interface Place {
  from: number;
  length: number;
  page: number;
}

const Capture = z.object({
  supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().regex(/^[A-Z0-9]{10,40}$/) }) }),
});

export function paypalMovements(ask: Ask, credentials: Credentials): Pick<PaymentPort, 'listMovements'> {
  const ordersOf = async (captureIds: string[]): Promise<Map<string, string | null>> => {
    const orders = new Map<string, string | null>();
    for (let begin = 0; begin < captureIds.length; begin += AT_ONCE)
      await Promise.all(
        captureIds.slice(begin, begin + AT_ONCE).map(async (id) => {
          const capture = Capture.safeParse(await readPaypal(`/v2/payments/captures/${id}`, credentials));
          orders.set(id, capture.data?.supplementary_data.related_ids.order_id ?? null);
        }),
      );
    return orders;
  };

  return {
    listMovements: (period, after) =>
      asked(async (): Promise<MovementPage> => {
        const place = placeOf(after, period);
        const until = Math.min(place.from + place.length - 1, secondsOf(period.to));
        const list = await ask(({ search }) =>
          search.searchTransactions({
            startDate: isoOf(place.from),
            endDate: isoOf(until),
            balanceAffectingRecordsOnly: 'Y',
            fields: 'transaction_info',
            pageSize: PAGE,
            page: place.page,
          }),
        ).catch((error: unknown) => {
          if (isTooMuch(error) && place.length > 1) return null;
          throw error;
        });
        if (!list) return { movements: [], next: written({ ...place, length: Math.ceil(place.length / 2), page: 1 }) };
        if (!list.lastRefreshedDatetime || secondsOf(new Date(list.lastRefreshedDatetime)) < until)
          throw new OutcomeUnknown('The list of transactions does not reach so far yet.');
        const told = (list.transactionDetails ?? []).flatMap(({ transactionInfo: one }) => (one ? toldBy(one) : []));
        const orders = await ordersOf([...new Set(told.flatMap(({ capture }) => capture ?? []))]);
        return {
          movements: told.flatMap((one) => movementsOf(one, (one.capture && orders.get(one.capture)) || null)),
          next: nextOf(place, list.totalPages ?? 1, until, period),
        };
      }),
  };
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);
const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

const written = ({ from, length, page }: Place): string => `${from} ${length} ${page}`;

function placeOf(after: string | null, period: Period): Place {
  const [from, length, page] = (after ?? '').split(' ').map(Number);
  if (from && length && page) return { from, length, page };
  return { from: secondsOf(period.from), length: WINDOW_SECONDS, page: 1 };
}

function nextOf(place: Place, pages: number, until: number, { to }: Period): string | null {
  if (place.page < pages) return written({ ...place, page: place.page + 1 });
  return until < secondsOf(to) ? written({ from: until + 1, length: WINDOW_SECONDS, page: 1 }) : null;
}

/** Whether the answer would hold more than PayPal gives. */
function isTooMuch(error: unknown): boolean {
  const refused = understood(error);
  return refused instanceof ChargeRefused && refused.failureCode === 'resultset_too_large';
}
