/**
 * What moved in an account at Checkout.com: it lists no movements, but finds payments by when they were requested and how they stand, and
 * tells of each what was done to it. Its fees and payouts are in reports alone, and not told.
 */
import {
  ChargeRefused,
  type Movement,
  type MovementPage,
  OutcomeUnknown,
  type PaymentPort,
  type Period,
} from '../port.js';
import { type Action, asked, type Payment, refundOf } from './answers.js';
import { type Dispute, heldIn, readDispute } from './disputes.js';
import { knownPayment, type Library } from './library.js';

const DAY = 86_400;
/** A hold lasts seven days: what is taken within the period was requested no longer before it. */
const HOLD = 8 * DAY;
/** It finds what was requested within ninety days, and refuses a longer time. */
const FOUND = 89 * DAY;
/** Few enough that asking about each takes seconds; a time that has more is asked for in halves. */
const MOST_FOUND = 200;
const DISPUTES = 250;
/** Payments that are asked about at a time. */
const AT_ONCE = 5;

const REFUNDED = ['Refunded', 'Partially Refunded'];
const TAKEN = ['Captured', 'Partially Captured', 'Paid', ...REFUNDED];
const of = (statuses: string[]): string => statuses.map((status) => `status:'${status}'`).join(' OR ');

/** A part of a list. */
interface Place {
  list: 'requested' | 'refunded' | 'disputes';
  /** Seconds since 1970; of disputes how many were told. */
  from: number;
  length: number;
}

export function checkoutMovements(library: Library): Pick<PaymentPort, 'listMovements'> {
  const { payments, disputes } = library;

  const movementsOfEach = async (found: Payment[], period: Period): Promise<Movement[]> => {
    const movements: Movement[] = [];
    for (let begin = 0; begin < found.length; begin += AT_ONCE) {
      const some = found.slice(begin, begin + AT_ONCE).map(async (payment) => {
        const actions = await asked<Action[]>(() => payments.getActions(knownPayment(payment.id)));
        return actions.flatMap((action) => movementsOf(payment, action));
      });
      movements.push(...(await Promise.all(some)).flat());
    }
    return movements.filter(isWithin(period));
  };

  /** @param end of the list, which is not in it */
  const searched = async (place: Place, end: number, statuses: string[], period: Period): Promise<MovementPage> => {
    const until = Math.min(place.from + place.length, end);
    const within = { from: isoOf(place.from), to: isoOf(until - 1, 999) };
    const { data = [] } = await asked<{ data?: Payment[] }>(() =>
      payments.search({ query: of(statuses), limit: MOST_FOUND, ...within }),
    );
    if (data.length === MOST_FOUND) {
      if (place.length === 1) throw new OutcomeUnknown('More was paid in a second than is listed.');
      return { movements: [], next: written({ ...place, length: Math.ceil(place.length / 2) }) };
    }
    const next = until < end ? { ...place, from: until, length: end - until } : after(place.list, period);
    return { movements: await movementsOfEach(data, period), next: written(next) };
  };

  const listDisputes = async ({ from: skip }: Place, period: Period): Promise<MovementPage> => {
    const within = { from: period.from.toISOString(), to: period.to.toISOString() };
    const { data = [] } = await asked<{ data?: { id: string }[] }>(() =>
      disputes.get({ limit: DISPUTES, skip, ...within }),
    );
    const found: Dispute[] = [];
    for (const { id } of data) found.push(await readDispute(library, id));
    const movements = found.flatMap(ofDispute).filter(isWithin(period));
    const next: Place = { list: 'disputes', from: skip + DISPUTES, length: DISPUTES };
    return { movements, next: data.length === DISPUTES ? written(next) : null };
  };

  return {
    async listMovements(period, cursor) {
      const place = placeOf(cursor, period);
      if (place.list === 'disputes') return listDisputes(place, period);
      if (place.list === 'refunded') return searched(place, secondsOf(period.from) - HOLD, REFUNDED, period);
      return searched(place, secondsOf(period.to) + 1, TAKEN, period);
    },
  };
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);
const isoOf = (seconds: number, ms = 0): string => new Date(seconds * 1000 + ms).toISOString();

const isWithin =
  ({ from, to }: Period) =>
  ({ at }: Movement): boolean =>
    at >= from && at <= to;

const written = ({ list, from, length }: Place): string => `${list} ${from} ${length}`;

function placeOf(cursor: string | null, { from }: Period): Place {
  if (cursor === null) return { list: 'requested', from: secondsOf(from) - HOLD, length: FOUND };
  const [list, begin, length] = cursor.split(' ');
  if (list !== 'requested' && list !== 'refunded' && list !== 'disputes')
    throw new ChargeRefused('invalid_request', 'There is no such list.');
  return { list, from: Number(begin), length: Number(length) };
}

/** Where the next list begins. */
const after = (list: Place['list'], { to }: Period): Place =>
  list === 'requested'
    ? { list: 'refunded', from: secondsOf(to) - FOUND, length: FOUND }
    : { list: 'disputes', from: 0, length: DISPUTES };

function movementsOf(payment: Payment, action: Action): Movement[] {
  const { type, approved, amount, processed_on: at, id } = action;
  if (approved === undefined || !at) return [];
  const moved: Movement = {
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
  if (type === 'Capture') return approved ? [moved] : [];
  if (type !== 'Refund') return [];
  const { refundId } = refundOf(action);
  const reference = refundId ? { refund_id: refundId } : {};
  const gone: Movement = { ...moved, kind: 'refunded', amountCents: -amount, gatewayRefundId: id, reference };
  // It went before, or never: both ways are told, which comes to nothing.
  return approved
    ? [gone]
    : [gone, { ...gone, movementId: `${id}:failed`, kind: 'refund_failed', amountCents: amount }];
}

/** What its status says: taken, or taken and given back. */
function ofDispute(dispute: Dispute): Movement[] {
  const { id, amount, currency, status, received_on, last_update, payment } = dispute;
  const held = heldIn(dispute);
  // Resolved, it has taken nothing at any time.
  if (!last_update || amount === 0 || (status === 'resolved' && held === 0)) return [];
  const changedAt = new Date(last_update);
  const taken: Movement = {
    movementId: `${id}:held`,
    kind: 'disputed',
    amountCents: -amount,
    feeCents: 0,
    currency: currency.toLowerCase(),
    at: held === 0 && received_on ? new Date(received_on) : changedAt,
    intentId: payment?.id ?? null,
    gatewayRefundId: null,
    reference: {},
  };
  return held > 0 ? [taken] : [taken, { ...taken, movementId: `${id}:won`, amountCents: amount, at: changedAt }];
}
