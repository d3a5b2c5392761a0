/** Disputes at PayPal, which its library does not know: asked for by themselves. */
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
import { asked, capturesOf, centsOf, refundsOf } from './answers.js';
import { readMarks } from './marks.js';
import { isOurs, settled, type Taken } from './settlements.js';

const PATH = '/v1/customer/disputes';
/** As many as one answer holds; a transaction has one or two. */
const PAGE = 50;

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
  /** As they were called before. */
  money_movements: z.array(Movement).optional(),
});
type Dispute = z.infer<typeof Dispute>;

/** What an outcome is for whoever was paid; of others the money tells. */
const OUTCOMES: Readonly<Record<string, ChargeDispute['decision']>> = {
  RESOLVED_SELLER_FAVOUR: 'won',
  CANCELED_BY_BUYER: 'won',
  DENIED: 'won',
  RESOLVED_BUYER_FAVOUR: 'lost',
  ACCEPTED: 'lost',
};

interface PaypalDisputes extends Pick<PaymentPort, 'readDisputes'> {
  /** The refunds of an order without those that are the money of its disputes. */
  refundsApart: (order: Order) => Promise<Refund[]>;
}

export function paypalDisputes(credentials: Credentials, orderOf: (id: string) => Promise<Order>): PaypalDisputes {
  const listed = async (captureId: string): Promise<string[]> => {
    const query = new URLSearchParams({ disputed_transaction_id: captureId, page_size: String(PAGE) });
    const list = List.parse((await readPaypal(`${PATH}?${query}`, credentials)) ?? {});
    return list.items.map(({ dispute_id }) => dispute_id);
  };
  const read = async (id: string): Promise<Dispute> => {
    const found = await readPaypal(`${PATH}/${encodeURIComponent(id)}`, credentials);
    if (found === null) throw new ChargeRefused('resource_missing', 'This is no dispute of theirs.');
    return Dispute.parse(found);
  };

  /** @param disputeId null: all */
  const disputesOf = async (order: Order, disputeId: string | null): Promise<Dispute[]> => {
    const captureIds = capturesOf(order).flatMap(({ id }) => id ?? []);
    const ids = disputeId === null ? (await Promise.all(captureIds.map(listed))).flat() : [disputeId];
    const disputes = await Promise.all([...new Set(ids)].map(read));
    const isOfIt = ({ disputed_transactions: of }: Dispute) =>
      of.some(({ seller_transaction_id: id }) => id !== undefined && captureIds.includes(id));
    if (!disputes.every(isOfIt)) throw new ChargeRefused('dispute_of_another', 'This dispute is of another order.');
    return disputes;
  };

  return {
    readDisputes: (intentId, disputeId) =>
      asked(async () => {
        const order = await orderOf(intentId);
        const reference = readMarks(capturesOf(order).find(({ customId }) => customId)?.customId);
        const disputes = await disputesOf(order, disputeId);
        return disputes
          .map((dispute) => disputeOf(dispute, reference, refundsOf(order)))
          .filter(({ amountCents }) => amountCents > 0);
      }),

    refundsApart: async (order) => {
      const refunds = refundsOf(order);
      if (refunds.every(isOurs)) return refunds;
      const disputes = await disputesOf(order, null).catch(unlessForbidden);
      const same = new Set(settled(disputes.flatMap(takenBy), refunds).values());
      return refunds.filter((refund) => isOurs(refund) || !same.has(refund));
    },
  };
}

/** An account whose key may not read disputes has none on record, which its refunds could be told of twice. */
function unlessForbidden(error: unknown): Dispute[] {
  if (error instanceof CredentialsRefused) return [];
  throw error;
}

function disputeOf(dispute: Dispute, reference: Record<string, string>, refunds: Refund[]): ChargeDispute {
  const movements = apartFrom(refunds, dispute);
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

/** A movement has no id of its own: it is known by when and why it was, and those of one moment by their order. */
function movementsOf({ dispute_id, fund_movements, money_movements }: Dispute): DisputeMovement[] {
  const alike = new Map<string, number>();
  return (fund_movements ?? money_movements ?? []).flatMap((moved) => {
    const cents = centsOf(moved.amount);
    if ((moved.party ?? moved.affected_party) !== 'SELLER' || cents === 0) return [];
    const at = moved.initiated_time;
    const name = [dispute_id.slice(0, 100), at.getTime(), moved.type, (moved.reason ?? '').slice(0, 40)].join(':');
    const before = alike.get(name) ?? 0;
    alike.set(name, before + 1);
    return [{ ...kindOf(moved, cents), movementId: before === 0 ? name : `${name}:${before}`, at }];
  });
}

/** What it took from the seller of the disputed money itself. */
const takenBy = (dispute: Dispute): Taken[] => {
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

/** What it moved, without what is a refund of ours. Where the payer got more than PayPal took, the rest is of its fee, which it gave back. */
function apartFrom(refunds: Refund[], dispute: Dispute): DisputeMovement[] {
  const pairs = new Map(
    [...settled(takenBy(dispute), refunds)].map(([{ movementId }, refund]) => [movementId, refund]),
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

/** What is not the disputed money itself is a fee, or one that comes back. */
function kindOf({ type, reason }: Movement, cents: number): Pick<DisputeMovement, 'kind' | 'amountCents'> {
  if (reason !== undefined && reason !== 'DISPUTE_SETTLEMENT')
    return { kind: 'fee', amountCents: type === 'DEBIT' ? cents : -cents };
  return { kind: type === 'DEBIT' ? 'withdrawn' : 'reinstated', amountCents: cents };
}
