/** Disputes at PayPal, which its library does not know: asked for by themselves. */
import type { Order } from '@paypal/paypal-server-sdk';
import { z } from 'zod';
import {
  type ChargeDispute,
  ChargeRefused,
  type Credentials,
  type DisputeMovement,
  type PaymentPort,
} from '../port.js';
import { readPaypal } from './account.js';
import { asked, capturesOf, centsOf } from './answers.js';
import { readMarks } from './marks.js';

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
  dispute_outcome: z.object({ outcome_code: z.string().optional() }).optional(),
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

export function paypalDisputes(
  credentials: Credentials,
  orderOf: (id: string) => Promise<Order>,
): Pick<PaymentPort, 'readDisputes'> {
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

  return {
    readDisputes: (intentId, disputeId) =>
      asked(async () => {
        const captures = capturesOf(await orderOf(intentId));
        const captureIds = captures.flatMap(({ id }) => id ?? []);
        const ids = disputeId === null ? (await Promise.all(captureIds.map(listed))).flat() : [disputeId];
        const disputes = await Promise.all([...new Set(ids)].map(read));
        const isOfIt = ({ disputed_transactions: of }: Dispute) =>
          of.some(({ seller_transaction_id: id }) => id !== undefined && captureIds.includes(id));
        if (!disputes.every(isOfIt)) throw new ChargeRefused('dispute_of_another', 'This dispute is of another order.');
        const reference = readMarks(captures.find(({ customId }) => customId)?.customId);
        return disputes.map((dispute) => disputeOf(dispute, reference)).filter(({ amountCents }) => amountCents > 0);
      }),
  };
}

function disputeOf(dispute: Dispute, reference: Record<string, string>): ChargeDispute {
  const movements = movementsOf(dispute);
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

/** What is not the disputed money itself is a fee, or one that comes back. */
function kindOf({ type, reason }: Movement, cents: number): Pick<DisputeMovement, 'kind' | 'amountCents'> {
  if (reason !== undefined && reason !== 'DISPUTE_SETTLEMENT')
    return { kind: 'fee', amountCents: type === 'DEBIT' ? cents : -cents };
  return { kind: type === 'DEBIT' ? 'withdrawn' : 'reinstated', amountCents: cents };
}
