/** Disputes at PayPal. The library has no support for them, so they are read without it. */
import type { Order, Refund } from '@paypal/paypal-server-sdk';
import { z } from 'zod';
import {
  type ChargeDispute,
  ChargeRefused,
  type Credentials,
  CredentialsRefused,
  type DisputeMovement,
  type PaymentPort,
} from '../port.js';
import { readPaypal } from './account.js';
import { callProvider, capturesOf, centsOf, refundsOf } from './answers.js';
import { readMarks } from './marks.js';
import { isOurs, matchRefunds, type DisputeWithdrawal } from './matchRefunds.js';

const PATH = '/v1/customer/disputes';
/** The page size of one response; a transaction has one or two disputes. */
const PAGE_SIZE = 50;

const Money = z.object({ currency_code: z.string().length(3), value: z.string().regex(/^-?\d{1,12}(\.\d{1,3})?$/) });
const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const List = z.object({
  items: z.array(z.object({ dispute_id: z.string().regex(/^[A-Za-z0-9-]{1,255}$/) })).default([]),
});
const Movement = z.object({
  party: z.string().optional(),
  affected_party: z.string().optional(),
  amount: Money.optional(),
  initiated_time: Moment,
  type: z.enum(['DEBIT', 'CREDIT']),
  reason: z.string().optional(),
});
type Movement = z.infer<typeof Movement>;
const Dispute = z.object({
  dispute_id: z.string().min(1).max(200),
  create_time: Moment,
  disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional() })).default([]),
  reason: z.string().optional(),
  status: z.string(),
  dispute_amount: Money,
  dispute_outcome: z.object({ outcome_code: z.string().optional(), amount_refunded: Money.optional() }).optional(),
  seller_response_due_date: Moment.optional(),
  fund_movements: z.array(Movement).optional(),
  /** The former name of `fund_movements`. */
  money_movements: z.array(Movement).optional(),
});
type Dispute = z.infer<typeof Dispute>;

/** Decision of a dispute by PayPal's outcome code. For other outcomes, the movements of money decide. */
const OUTCOMES: Readonly<Record<string, ChargeDispute['decision']>> = {
  RESOLVED_SELLER_FAVOUR: 'won',
  CANCELED_BY_BUYER: 'won',
  DENIED: 'won',
  RESOLVED_BUYER_FAVOUR: 'lost',
  ACCEPTED: 'lost',
};

interface PaypalDisputes extends Pick<PaymentPort, 'readDisputes'> {
  /** Returns the refunds of an order. Leaves out refunds with which PayPal returned disputed money. */
  refundsWithoutDisputes: (order: Order) => Promise<Refund[]>;
}

export function paypalDisputes(credentials: Credentials, orderOf: (id: string) => Promise<Order>): PaypalDisputes {
  const listDisputeIds = async (captureId: string): Promise<string[]> => {
    const query = new URLSearchParams({ disputed_transaction_id: captureId, page_size: String(PAGE_SIZE) });
    const list = List.parse((await readPaypal(`${PATH}?${query}`, credentials)) ?? {});
    return list.items.map(({ dispute_id }) => dispute_id);
  };
  const read = async (id: string): Promise<Dispute> => {
    const answer = await readPaypal(`${PATH}/${encodeURIComponent(id)}`, credentials);
    if (answer === null) throw new ChargeRefused('resource_missing', 'The account has no such dispute.');
    return Dispute.parse(answer);
  };

  /**
   * Returns disputes of an order.
   * @param disputeId the id of the only dispute to return; null: all disputes of the order
   */
  const disputesOf = async (order: Order, disputeId: string | null): Promise<Dispute[]> => {
    const captureIds = capturesOf(order).flatMap(({ id }) => id ?? []);
    const ids = disputeId === null ? (await Promise.all(captureIds.map(listDisputeIds))).flat() : [disputeId];
    const disputes = await Promise.all([...new Set(ids)].map(read));
    const belongsToOrder = ({ disputed_transactions: of }: Dispute) =>
      of.some(({ seller_transaction_id: id }) => id !== undefined && captureIds.includes(id));
    if (!disputes.every(belongsToOrder))
      throw new ChargeRefused('dispute_of_another', 'The dispute belongs to another order.');
    return disputes;
  };

  return {
    readDisputes: (intentId, disputeId) =>
      callProvider(async () => {
        const order = await orderOf(intentId);
        const reference = readMarks(capturesOf(order).find(({ customId }) => customId)?.customId);
        const disputes = await disputesOf(order, disputeId);
        return disputes
          .map((dispute) => disputeOf(dispute, reference, refundsOf(order)))
          .filter(({ amountCents }) => amountCents > 0);
      }),

    refundsWithoutDisputes: async (order) => {
      const refunds = refundsOf(order);
      if (refunds.every(isOurs)) return refunds;
      const disputes = await disputesOf(order, null).catch(emptyIfForbidden);
      const disputeRefunds = new Set(matchRefunds(disputes.flatMap(withdrawalsOf), refunds).values());
      return refunds.filter((refund) => isOurs(refund) || !disputeRefunds.has(refund));
    },
  };
}

/**
 * Returns no disputes if the key may not read disputes. No money is counted twice in this case: the disputed money is
 * counted as a refund, and no dispute is recorded.
 */
function emptyIfForbidden(error: unknown): Dispute[] {
  if (error instanceof CredentialsRefused) return [];
  throw error;
}

function disputeOf(dispute: Dispute, reference: Record<string, string>, refunds: Refund[]): ChargeDispute {
  const movements = movementsWithoutRefunds(refunds, dispute);
  const decision = decisionOf(dispute, movements);
  return {
    gatewayDisputeId: dispute.dispute_id,
    reference,
    amountCents: centsOf(dispute.dispute_amount),
    currency: dispute.dispute_amount.currency_code.toLowerCase(),
    reason: dispute.reason?.toLowerCase() ?? 'unknown',
    decision,
    evidenceDueAt: decision === 'none' ? (dispute.seller_response_due_date ?? null) : null,
    openedAt: dispute.create_time,
    movements,
  };
}

function decisionOf({ status, dispute_outcome }: Dispute, movements: DisputeMovement[]): ChargeDispute['decision'] {
  if (status !== 'RESOLVED') return 'none';
  const sum = (kind: DisputeMovement['kind']) =>
    movements.filter((one) => one.kind === kind).reduce((cents, { amountCents }) => cents + amountCents, 0);
  return OUTCOMES[dispute_outcome?.outcome_code ?? ''] ?? (sum('withdrawn') > sum('reinstated') ? 'lost' : 'won');
}

/**
 * Returns the movements of a dispute. PayPal gives them no id, so their id is made of time, type and reason. A number
 * distinguishes movements that are equal in all three.
 */
function movementsOf({ dispute_id, fund_movements, money_movements }: Dispute): DisputeMovement[] {
  const countByName = new Map<string, number>();
  return (fund_movements ?? money_movements ?? []).flatMap((fundMovement) => {
    const cents = centsOf(fundMovement.amount);
    if ((fundMovement.party ?? fundMovement.affected_party) !== 'SELLER' || cents === 0) return [];
    const at = fundMovement.initiated_time;
    const name = [
      dispute_id.slice(0, 100),
      at.getTime(),
      fundMovement.type,
      (fundMovement.reason ?? '').slice(0, 40),
    ].join(':');
    const count = countByName.get(name) ?? 0;
    countByName.set(name, count + 1);
    return [{ ...kindOf(fundMovement, cents), movementId: count === 0 ? name : `${name}:${count}`, at }];
  });
}

/** Returns the withdrawals of the disputed money. */
const withdrawalsOf = (dispute: Dispute): DisputeWithdrawal[] => {
  const refunded = dispute.dispute_outcome?.amount_refunded;
  const payerCents = refunded ? centsOf(refunded) : null;
  return movementsOf(dispute)
    .filter(({ kind }) => kind === 'withdrawn')
    .map(({ movementId, at, amountCents: cents }) => ({
      movementId,
      since: dispute.create_time,
      at,
      cents,
      payerCents,
    }));
};

/**
 * Returns the movements of a dispute. Leaves out a withdrawal if PayPal also lists it as a refund that we requested, so
 * that the money is not counted twice. If the payer got more than PayPal withdrew, the difference is a part of its fee
 * that PayPal returned.
 */
function movementsWithoutRefunds(refunds: Refund[], dispute: Dispute): DisputeMovement[] {
  const pairs = new Map(
    [...matchRefunds(withdrawalsOf(dispute), refunds)].map(([{ movementId }, refund]) => [movementId, refund]),
  );
  return movementsOf(dispute).flatMap((movement) => {
    const refund = pairs.get(movement.movementId);
    if (!refund) return [movement];
    if (isOurs(refund)) return [];
    const returned = centsOf(refund.amount) - movement.amountCents;
    const fee = { movementId: `${movement.movementId}:fee`, at: movement.at };
    if (returned <= 0) return [movement];
    return [
      movement,
      { ...fee, kind: 'withdrawn' as const, amountCents: returned },
      { ...fee, kind: 'fee' as const, amountCents: -returned },
    ];
  });
}

/**
 * Returns the kind and the amount of a movement. Only movements of the disputed amount are withdrawals and
 * reinstatements; all others are fees. A returned fee is negative.
 */
function kindOf({ type, reason }: Movement, cents: number): Pick<DisputeMovement, 'kind' | 'amountCents'> {
  if (reason !== undefined && reason !== 'DISPUTE_SETTLEMENT')
    return { kind: 'fee', amountCents: type === 'DEBIT' ? cents : -cents };
  return { kind: type === 'DEBIT' ? 'withdrawn' : 'reinstated', amountCents: cents };
}
