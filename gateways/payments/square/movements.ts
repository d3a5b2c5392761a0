/** Movements at a location of Square: its payments, refunds, payouts and disputes, one list after the other. */
import type { Square, SquareClient } from 'square';
import type { Movement, MovementPage, PaymentPort, Period } from '../port.js';
import { callProvider, centsOf, refundOf } from './answers.js';
import { withheldCents } from './disputes.js';
import { readMarks } from './marks.js';

const PAGE_SIZE = 100;
/**
 * The lists in the order in which they are read. A cursor is the name of a list and, after a space, Square's cursor.
 */
const LISTS = ['payments', 'refunds', 'payouts', 'disputes'] as const;

interface ListPage {
  movements: Movement[];
  cursor: string | undefined;
}

/**
 * Lists the movements. Payments and refunds are listed by the time of their last change, so that a payment that
 * completes late is in the period in which it completed.
 */
export function squareMovements(square: SquareClient, locationId: string): Pick<PaymentPort, 'listMovements'> {
  const changedWithin = ({ from, to }: Period, cursor: string | undefined) => ({
    locationId,
    updatedAtBeginTime: from.toISOString(),
    updatedAtEndTime: to.toISOString(),
    sortField: 'UPDATED_AT' as const,
    sortOrder: 'ASC' as const,
    limit: PAGE_SIZE,
    ...(cursor && { cursor }),
  });
  const lists: Record<(typeof LISTS)[number], (period: Period, cursor: string | undefined) => Promise<ListPage>> = {
    async payments(period, cursor) {
      const { data, response } = await square.payments.list(changedWithin(period, cursor));
      return { movements: data.flatMap(paymentMovements), cursor: response.cursor };
    },
    async refunds(period, cursor) {
      const { data, response } = await square.refunds.list(changedWithin(period, cursor));
      return { movements: data.flatMap(refundMovements), cursor: response.cursor };
    },
    async payouts({ from, to }, cursor) {
      const { data, response } = await square.payouts.list({
        locationId,
        beginTime: from.toISOString(),
        endTime: to.toISOString(),
        sortOrder: 'ASC',
        limit: PAGE_SIZE,
        ...(cursor && { cursor }),
      });
      return { movements: data.flatMap(payoutMovements), cursor: response.cursor };
    },
    /** Square lists disputes regardless of the period, so most are filtered out here. */
    async disputes({ from, to }, cursor) {
      const { data, response } = await square.disputes.list({ locationId, ...(cursor && { cursor }) });
      const changed = data.filter(({ updatedAt }) => {
        const at = Date.parse(updatedAt ?? '');
        return at >= from.getTime() && at <= to.getTime();
      });
      return { movements: changed.flatMap(disputeMovements), cursor: response.cursor };
    },
  };

  return {
    listMovements: (period, after) =>
      callProvider(async (): Promise<MovementPage> => {
        const [named, cursor] = (after ?? LISTS[0]).split(' ');
        const at = Math.max(0, LISTS.indexOf(named as (typeof LISTS)[number]));
        const list = LISTS[at] ?? LISTS[0];
        const page = await lists[list](period, cursor);
        return { movements: page.movements, next: page.cursor ? `${list} ${page.cursor}` : (LISTS[at + 1] ?? null) };
      }),
  };
}

const currencyOf = (money: Square.Money | undefined): string => (money?.currency ?? 'USD').toLowerCase();

/** A fee is reported days after its payment, so it is a separate movement that contains only the fee. */
function feeOf(charged: readonly Square.ProcessingFee[] | null | undefined, of: Movement): Movement[] {
  const fees = charged ?? [];
  if (fees.length === 0) return [];
  const feeCents = fees.reduce((cents, { amountMoney }) => cents + centsOf(amountMoney), 0);
  return [{ ...of, movementId: `${of.movementId}:fee`, kind: 'other', amountCents: 0, feeCents }];
}

function paymentMovements(payment: Square.Payment): Movement[] {
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

function refundMovements(refund: Square.PaymentRefund): Movement[] {
  const { status } = refundOf(refund);
  if (status === 'pending') return [];
  const refunded: Movement = {
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
  if (status === 'refunded') return [refunded, ...feeOf(refund.processingFee, refunded)];
  // A failed refund is listed as two movements that cancel out, because it is not known whether the money had left.
  return [refunded, { ...reversalOf(refunded), kind: 'refund_failed', at: new Date(refund.updatedAt ?? refunded.at) }];
}

function payoutMovements(payout: Square.Payout): Movement[] {
  const paidOut: Movement = {
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
  return payout.status === 'FAILED' ? [paidOut, reversalOf(paidOut)] : [paidOut];
}

/** Returns the movements of a dispute, which follow from its state: money was withheld, or withheld and returned. */
function disputeMovements(dispute: Square.Dispute): Movement[] {
  const { id, amountMoney: money, state, createdAt, updatedAt, disputedPayment } = dispute;
  const isWon = state === 'WON';
  if (!id || (!isWon && withheldCents(dispute) === 0)) return [];
  const changedAt = new Date(updatedAt ?? 0);
  const withheld: Movement = {
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
  const reinstated = { ...withheld, movementId: `${id}:won`, amountCents: -withheld.amountCents, at: changedAt };
  return isWon ? [withheld, reinstated] : [withheld];
}

const reversalOf = (moved: Movement): Movement => ({
  ...moved,
  movementId: `${moved.movementId}:failed`,
  amountCents: -moved.amountCents,
});
