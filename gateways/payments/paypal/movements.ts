/**
 * Lists the movements of money in a PayPal account, each with its charge. They come from PayPal's list of transactions,
 * which is hours behind.
 */
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
import { callProvider, translateError } from './answers.js';
import type { RunRequest } from './client.js';
import { movementsOf, classifyTransaction } from './transactions.js';

/** The page size. It is small enough that reading the captures of one page takes only seconds. */
const PAGE_SIZE = 100;
const CONCURRENCY = 5;
/**
 * Length of one searched period. PayPal lists at most ten thousand transactions, so a period with more transactions is
 * halved.
 */
const WINDOW_SECONDS = 24 * 3600;

/**
 * A position in PayPal's list: a page within a part of the period. Times are in whole seconds since 1970, the precision
 * of PayPal's list.
 */
interface Cursor {
  from: number;
  length: number;
  page: number;
}

const Capture = z.object({
  supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().regex(/^[A-Z0-9]{10,40}$/) }) }),
});

export function paypalMovements(ask: RunRequest, credentials: Credentials): Pick<PaymentPort, 'listMovements'> {
  const ordersOf = async (captureIds: string[]): Promise<Map<string, string | null>> => {
    const orders = new Map<string, string | null>();
    for (let begin = 0; begin < captureIds.length; begin += CONCURRENCY)
      await Promise.all(
        captureIds.slice(begin, begin + CONCURRENCY).map(async (id) => {
          const capture = Capture.safeParse(await readPaypal(`/v2/payments/captures/${id}`, credentials));
          orders.set(id, capture.data?.supplementary_data.related_ids.order_id ?? null);
        }),
      );
    return orders;
  };

  return {
    listMovements: (period, after) =>
      callProvider(async (): Promise<MovementPage> => {
        const position = decodeCursor(after, period);
        const until = Math.min(position.from + position.length - 1, secondsOf(period.to));
        const list = await ask(({ search }) =>
          search.searchTransactions({
            startDate: isoOf(position.from),
            endDate: isoOf(until),
            balanceAffectingRecordsOnly: 'Y',
            fields: 'transaction_info',
            pageSize: PAGE_SIZE,
            page: position.page,
          }),
        ).catch((error: unknown) => {
          if (hasTooManyResults(error) && position.length > 1) return null;
          throw error;
        });
        if (!list)
          return {
            movements: [],
            next: encodeCursor({ ...position, length: Math.ceil(position.length / 2), page: 1 }),
          };
        if (!list.lastRefreshedDatetime || secondsOf(new Date(list.lastRefreshedDatetime)) < until)
          throw new OutcomeUnknown('The list of transactions does not cover this period yet.');
        const classified = (list.transactionDetails ?? []).flatMap(({ transactionInfo: one }) =>
          one ? classifyTransaction(one) : [],
        );
        const orders = await ordersOf([...new Set(classified.flatMap(({ capture }) => capture ?? []))]);
        return {
          movements: classified.flatMap((one) => movementsOf(one, (one.capture && orders.get(one.capture)) || null)),
          next: nextCursor(position, list.totalPages ?? 1, until, period),
        };
      }),
  };
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);
const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

const encodeCursor = ({ from, length, page }: Cursor): string => `${from} ${length} ${page}`;

function decodeCursor(after: string | null, period: Period): Cursor {
  const [from, length, page] = (after ?? '').split(' ').map(Number);
  if (from && length && page) return { from, length, page };
  return { from: secondsOf(period.from), length: WINDOW_SECONDS, page: 1 };
}

function nextCursor(position: Cursor, pages: number, until: number, { to }: Period): string | null {
  if (position.page < pages) return encodeCursor({ ...position, page: position.page + 1 });
  return until < secondsOf(to) ? encodeCursor({ from: until + 1, length: WINDOW_SECONDS, page: 1 }) : null;
}

/** Reports whether the period has more transactions than PayPal lists. */
function hasTooManyResults(error: unknown): boolean {
  const refused = translateError(error);
  return refused instanceof ChargeRefused && refused.failureCode === 'resultset_too_large';
}
