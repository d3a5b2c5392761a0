/**
 * Lists the movements of money in an account at Checkout.com, which has no such list. Payments are searched by request
 * time and status, and the actions of each payment are read. Fees and payouts exist only in reports, so they are
 * missing here.
 */
import {
  ChargeRefused,
  type Movement,
  type MovementPage,
  OutcomeUnknown,
  type PaymentPort,
  type Period,
} from '../port.js';
import { type Action, callProvider, type Payment, refundOf } from './answers.js';
import { type Dispute, withheldCents, readDispute } from './disputes.js';
import { requirePaymentId, type Library } from './library.js';

const DAY_SECONDS = 86_400;
/**
 * Searches for captured payments begin this long before the period, because a payment may be captured days after it was
 * requested: an authorization lasts seven days.
 */
const AUTHORIZATION_SECONDS = 8 * DAY_SECONDS;
/**
 * Maximum length of the searched period: Checkout.com searches only the last ninety days, and refuses a longer period.
 */
const MAX_SEARCH_SECONDS = 89 * DAY_SECONDS;
/**
 * Maximum number of payments in one search, so that reading the actions of all payments takes only seconds. If a period
 * has more payments, it is halved.
 */
const MAX_RESULTS = 200;
const DISPUTES_PAGE_SIZE = 250;
/** The number of payments whose actions are read concurrently. */
const CONCURRENCY = 5;

const REFUNDED_STATUSES = ['Refunded', 'Partially Refunded'];
const CAPTURED_STATUSES = ['Captured', 'Partially Captured', 'Paid', ...REFUNDED_STATUSES];
const statusQuery = (statuses: string[]): string => statuses.map((status) => `status:'${status}'`).join(' OR ');

/**
 * A position in the result. Three lists are read one after the other: requested payments, refunded payments, disputes.
 */
interface Cursor {
  list: 'requested' | 'refunded' | 'disputes';
  /**
   * Start of the searched time, in seconds since 1970; for disputes the number of disputes that were listed already.
   */
  from: number;
  length: number;
}

export function checkoutMovements(library: Library): Pick<PaymentPort, 'listMovements'> {
  const { payments, disputes } = library;

  const movementsOfEach = async (paymentList: Payment[], period: Period): Promise<Movement[]> => {
    const movements: Movement[] = [];
    for (let begin = 0; begin < paymentList.length; begin += CONCURRENCY) {
      const batch = paymentList.slice(begin, begin + CONCURRENCY).map(async (payment) => {
        const actions = await callProvider<Action[]>(() => payments.getActions(requirePaymentId(payment.id)));
        return actions.flatMap((action) => movementsOf(payment, action));
      });
      movements.push(...(await Promise.all(batch)).flat());
    }
    return movements.filter(isWithin(period));
  };

  /**
   * Searches payments in the time span at `position`.
   * @param end the exclusive end of the whole list, in seconds since 1970
   */
  const searchPayments = async (
    position: Cursor,
    end: number,
    statuses: string[],
    period: Period,
  ): Promise<MovementPage> => {
    const until = Math.min(position.from + position.length, end);
    const within = { from: isoOf(position.from), to: isoOf(until - 1, 999) };
    const { data = [] } = await callProvider<{ data?: Payment[] }>(() =>
      payments.search({ query: statusQuery(statuses), limit: MAX_RESULTS, ...within }),
    );
    if (data.length === MAX_RESULTS) {
      if (position.length === 1)
        throw new OutcomeUnknown('More payments were made in one second than a search returns.');
      return { movements: [], next: encodeCursor({ ...position, length: Math.ceil(position.length / 2) }) };
    }
    const next = until < end ? { ...position, from: until, length: end - until } : nextList(position.list, period);
    return { movements: await movementsOfEach(data, period), next: encodeCursor(next) };
  };

  const listDisputes = async ({ from: skip }: Cursor, period: Period): Promise<MovementPage> => {
    const within = { from: period.from.toISOString(), to: period.to.toISOString() };
    const { data = [] } = await callProvider<{ data?: { id: string }[] }>(() =>
      disputes.get({ limit: DISPUTES_PAGE_SIZE, skip, ...within }),
    );
    const disputeList: Dispute[] = [];
    for (const { id } of data) disputeList.push(await readDispute(library, id));
    const movements = disputeList.flatMap(disputeMovements).filter(isWithin(period));
    const next: Cursor = { list: 'disputes', from: skip + DISPUTES_PAGE_SIZE, length: DISPUTES_PAGE_SIZE };
    return { movements, next: data.length === DISPUTES_PAGE_SIZE ? encodeCursor(next) : null };
  };

  return {
    async listMovements(period, cursor) {
      const position = decodeCursor(cursor, period);
      if (position.list === 'disputes') return listDisputes(position, period);
      if (position.list === 'refunded')
        return searchPayments(position, secondsOf(period.from) - AUTHORIZATION_SECONDS, REFUNDED_STATUSES, period);
      return searchPayments(position, secondsOf(period.to) + 1, CAPTURED_STATUSES, period);
    },
  };
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);
const isoOf = (seconds: number, ms = 0): string => new Date(seconds * 1000 + ms).toISOString();

const isWithin =
  ({ from, to }: Period) =>
  ({ at }: Movement): boolean =>
    at >= from && at <= to;

const encodeCursor = ({ list, from, length }: Cursor): string => `${list} ${from} ${length}`;

function decodeCursor(cursor: string | null, { from }: Period): Cursor {
  if (cursor === null)
    return { list: 'requested', from: secondsOf(from) - AUTHORIZATION_SECONDS, length: MAX_SEARCH_SECONDS };
  const [list, begin, length] = cursor.split(' ');
  if (list !== 'requested' && list !== 'refunded' && list !== 'disputes')
    throw new ChargeRefused('invalid_request', 'The cursor names an unknown list.');
  return { list, from: Number(begin), length: Number(length) };
}

/**
 * Returns the start of the list that follows: first come the requested payments, then the refunded payments, then the
 * disputes.
 */
const nextList = (list: Cursor['list'], { to }: Period): Cursor =>
  list === 'requested'
    ? { list: 'refunded', from: secondsOf(to) - MAX_SEARCH_SECONDS, length: MAX_SEARCH_SECONDS }
    : { list: 'disputes', from: 0, length: DISPUTES_PAGE_SIZE };

function movementsOf(payment: Payment, action: Action): Movement[] {
  const { type, approved, amount, processed_on: at, id } = action;
  if (approved === undefined || !at) return [];
  const movement: Movement = {
    movementId: id,
    kind: 'captured',
    amountCents: amount,
    feeCents: 0,
    currency: (payment.currency ?? 'USD').toLowerCase(),
    at: new Date(at),
    intentId: payment.id,
    gatewayRefundId: null,
    reference: payment.metadata ?? {},
  };
  if (type === 'Capture') return approved ? [movement] : [];
  if (type !== 'Refund') return [];
  const { refundId } = refundOf(action);
  const reference = refundId ? { refund_id: refundId } : {};
  const refunded: Movement = { ...movement, kind: 'refunded', amountCents: -amount, gatewayRefundId: id, reference };
  // A failed refund is listed as two movements that cancel out, because it is not known whether the money had left.
  return approved
    ? [refunded]
    : [refunded, { ...refunded, movementId: `${id}:failed`, kind: 'refund_failed', amountCents: amount }];
}

/** Returns the movements of a dispute, which follow from its status: money was withheld, or withheld and returned. */
function disputeMovements(dispute: Dispute): Movement[] {
  const { id, amount, currency, status, received_on, last_update, payment } = dispute;
  const withheldNow = withheldCents(dispute);
  // A resolved dispute that withholds nothing has never withheld money, because the payment had been refunded before.
  if (!last_update || amount === 0 || (status === 'resolved' && withheldNow === 0)) return [];
  const changedAt = new Date(last_update);
  const withheld: Movement = {
    movementId: `${id}:held`,
    kind: 'disputed',
    amountCents: -amount,
    feeCents: 0,
    currency: currency.toLowerCase(),
    at: withheldNow === 0 && received_on ? new Date(received_on) : changedAt,
    intentId: payment?.id ?? null,
    gatewayRefundId: null,
    reference: {},
  };
  return withheldNow > 0
    ? [withheld]
    : [withheld, { ...withheld, movementId: `${id}:won`, amountCents: amount, at: changedAt }];
}
