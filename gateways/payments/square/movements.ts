/** What moved at a location of Square's: its payments, refunds, payouts and disputes, one list after the other. */
import type { Square, SquareClient } from 'square';
import type { Movement, MovementPage, PaymentPort, Period } from '../port.js';
import { asked, centsOf, refundOf } from './answers.js';
import { heldIn } from './disputes.js';
import { readMarks } from './marks.js';

/** As many as one answer holds. */
const PAGE = 100;
/** In this order; a page is asked for with the name of its list and, after a blank, where that goes on. */
const LISTS = ['payments', 'refunds', 'payouts', 'disputes'] as const;

interface ListPage {
  movements: Movement[];
  cursor: string | undefined;
}

/** Payments and refunds are listed by when they last changed: one that is completed late is listed then. */
export function squareMovements(square: SquareClient, locationId: string): Pick<PaymentPort, 'listMovements'> {
  const changed = ({ from, to }: Period, cursor: string | undefined) => ({
    locationId,
    updatedAtBeginTime: from.toISOString(),
    updatedAtEndTime: to.toISOString(),
    sortField: 'UPDATED_AT' as const,
    sortOrder: 'ASC' as const,
    limit: PAGE,
    ...(cursor && { cursor }),
  });
  const lists: Record<(typeof LISTS)[number], (period: Period, cursor: string | undefined) => Promise<ListPage>> = {
    async payments(period, cursor) {
      const { data, response } = await square.payments.list(changed(period, cursor));
      return { movements: data.flatMap(ofPayment), cursor: response.cursor };
    },
    async refunds(period, cursor) {
      const { data, response } = await square.refunds.list(changed(period, cursor));
      return { movements: data.flatMap(ofRefund), cursor: response.cursor };
    },
    async payouts({ from, to }, cursor) {
      const { data, response } = await square.payouts.list({
        locationId,
        beginTime: from.toISOString(),
        endTime: to.toISOString(),
        sortOrder: 'ASC',
        limit: PAGE,
        ...(cursor && { cursor }),
      });
      return { movements: data.flatMap(ofPayout), cursor: response.cursor };
    },
    /** They are listed whenever they changed, so that most are left out here. */
    async disputes({ from, to }, cursor) {
      const { data, response } = await square.disputes.list({ locationId, ...(cursor && { cursor }) });
      const changed = data.filter(({ updatedAt }) => {
        const at = Date.parse(updatedAt ?? '');
        return at >= from.getTime() && at <= to.getTime();
      });
      return { movements: changed.flatMap(ofDispute), cursor: response.cursor };
    },
  };

  return {
    listMovements: (period, after) =>
      asked(async (): Promise<MovementPage> => {
        const [named, cursor] = (after ?? LISTS[0]).split(' ');
        const at = Math.max(0, LISTS.indexOf(named as (typeof LISTS)[number]));
        const list = LISTS[at] ?? LISTS[0];
        const page = await lists[list](period, cursor);
        return { movements: page.movements, next: page.cursor ? `${list} ${page.cursor}` : (LISTS[at + 1] ?? null) };
      }),
  };
}

const currencyOf = (money: Square.Money | undefined): string => (money?.currency ?? 'USD').toLowerCase();

/** A fee is told days after its payment: it is a movement of its own, of which nothing but the fee is kept. */
function feeOf(charged: readonly Square.ProcessingFee[] | null | undefined, of: Movement): Movement[] {
  const fees = charged ?? [];
  if (fees.length === 0) return [];
  const feeCents = fees.reduce((cents, { amountMoney }) => cents + centsOf(amountMoney), 0);
  return [{ ...of, movementId: `${of.movementId}:fee`, kind: 'other', amountCents: 0, feeCents }];
}

function ofPayment(payment: Square.Payment): Movement[] {
  if (payment.status !== 'COMPLETED' || !payment.id) return [];
  const money = payment.totalMoney ?? payment.amountMoney;
  const captured: Movement = {
    movementId: payment.id,
    kind: 'captured',
    amountCents: centsOf(money),
    feeCents: 0,
    currency: currencyOf(money),
    at: new Date(payment.cardDetails?.cardPaymentTimeline?.capturedAt ?? payment.createdAt ?? 0),
    intentId: payment.id,
    gatewayRefundId: null,
    reference: readMarks(payment.note),
  };
  return [captured, ...feeOf(payment.processingFee, captured)];
}

function ofRefund(refund: Square.PaymentRefund): Movement[] {
  const { status } = refundOf(refund);
  if (status === 'pending') return [];
  const gone: Movement = {
    movementId: refund.id,
    kind: 'refunded',
    amountCents: -centsOf(refund.amountMoney),
    feeCents: 0,
    currency: currencyOf(refund.amountMoney),
    at: new Date(refund.createdAt ?? 0),
    intentId: refund.paymentId ?? null,
    gatewayRefundId: refund.id,
    reference: readMarks(refund.reason),
  };
  if (status === 'refunded') return [gone, ...feeOf(refund.processingFee, gone)];
  // It went before, or never: both ways are told, which comes to nothing.
  return [gone, { ...returned(gone), kind: 'refund_failed', at: new Date(refund.updatedAt ?? gone.at) }];
}

function ofPayout(payout: Square.Payout): Movement[] {
  const paid: Movement = {
    movementId: payout.id,
    kind: 'payout',
    amountCents: -centsOf(payout.amountMoney),
    feeCents: 0,
    currency: currencyOf(payout.amountMoney),
    at: new Date(payout.createdAt ?? 0),
    intentId: null,
    gatewayRefundId: null,
    reference: {},
  };
  return payout.status === 'FAILED' ? [paid, returned(paid)] : [paid];
}

/** What its state says: taken, or taken and given back. */
function ofDispute(dispute: Square.Dispute): Movement[] {
  const { id, amountMoney: money, state, createdAt, updatedAt, disputedPayment } = dispute;
  const isWon = state === 'WON';
  if (!id || (!isWon && heldIn(dispute) === 0)) return [];
  const changedAt = new Date(updatedAt ?? 0);
  const taken: Movement = {
    movementId: `${id}:held`,
    kind: 'disputed',
    amountCents: -centsOf(money),
    feeCents: 0,
    currency: currencyOf(money),
    at: isWon && createdAt ? new Date(createdAt) : changedAt,
    intentId: disputedPayment?.paymentId ?? null,
    gatewayRefundId: null,
    reference: {},
  };
  const back = { ...taken, movementId: `${id}:won`, amountCents: -taken.amountCents, at: changedAt };
  return isWon ? [taken, back] : [taken];
}

const returned = (moved: Movement): Movement => ({
  ...moved,
  movementId: `${moved.movementId}:failed`,
  amountCents: -moved.amountCents,
});
