/**
 * Chargebacks: the bank takes the money with a fee, and gives it back once it has decided for the seller. And claims, which take nothing until
 * they end: with a refund, of which PayPal gives the seller a part of its own fee.
 */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { DisputeOrder } from '../kit/orders.js';
import { notFound } from './errors.js';
import type { Told } from './money.js';
import type { Shown } from './shown.js';
import { type Dispute, type Fields, type Money, newId, type State } from './state.js';

const FEE = '20.00';

/** A payer's claim, and how it ends: with so much for the payer, of which so much is of PayPal's fee. */
export const Claim = z.strictObject({ charge: z.string().min(1), amount_cents: z.int().positive().optional() });
export const ClaimEnd = z.strictObject({
  dispute: z.string().min(1),
  amount_cents: z.int().positive(),
  fee_cents: z.int().min(0).default(0),
});

export class DisputeDesk {
  constructor(
    private readonly state: State,
    private readonly shown: Shown,
    private readonly tell: (told: Told) => void,
  ) {}

  /** GET /v1/customer/disputes of one transaction, in short. */
  list(account: string, transaction: string | null): Fields {
    const found = Object.values(this.state.kept.dispute).filter(
      (one) => one.account === account && (transaction === null || one.capture === transaction),
    );
    return { items: found.map((one) => this.shown.summary(one)), links: [] };
  }

  /** What a bank does. @throws PaypalRefusal where that makes no sense */
  order(order: z.infer<typeof DisputeOrder>): Dispute {
    if (order.kind === 'dispute_open') return this.open(order.charge, order.amount_cents);
    const dispute = this.state.kept.dispute[order.dispute];
    if (!dispute) throw notFound();
    const { outcome } = dispute;
    dispute.status = 'RESOLVED';
    dispute.outcome = order.kind === 'dispute_won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR';
    if (order.kind === 'dispute_won' && outcome !== 'RESOLVED_SELLER_FAVOUR') move(dispute, 'CREDIT');
    if (order.kind === 'dispute_lost' && outcome === 'RESOLVED_SELLER_FAVOUR') move(dispute, 'DEBIT');
    return this.changed(dispute, 'CUSTOMER.DISPUTE.RESOLVED');
  }

  /** @throws PaypalRefusal where nothing was taken */
  claim({ charge, amount_cents }: z.infer<typeof Claim>): Dispute {
    return this.changed(this.begun(charge, amount_cents), 'CUSTOMER.DISPUTE.CREATED');
  }

  /** @throws PaypalRefusal where there is no such claim */
  endClaim({ dispute: id, amount_cents, fee_cents }: z.infer<typeof ClaimEnd>): Dispute {
    const dispute = this.state.kept.dispute[id];
    if (!dispute || dispute.status === 'RESOLVED') throw notFound();
    const valued = (cents: number): Money => ({ ...dispute.amount, value: (cents / 100).toFixed(2) });
    const { account, capture } = dispute;
    const create_time = new Date().toISOString();
    const refund = { account, id: newId(), capture, status: 'COMPLETED', amount: valued(amount_cents) } as const;
    this.state.kept.refund[refund.id] = { ...refund, dispute: id, create_time };
    this.state.moved('refund', capture, refund.amount);
    dispute.status = 'RESOLVED';
    dispute.outcome = 'RESOLVED_BUYER_FAVOUR';
    move(dispute, 'DEBIT', 'DISPUTE_SETTLEMENT', valued(amount_cents - fee_cents));
    this.tell({ account, type: 'PAYMENT.CAPTURE.REVERSED', resource: this.shown.refund({ ...refund, create_time }) });
    return this.changed(dispute, 'CUSTOMER.DISPUTE.RESOLVED');
  }

  private open(orderId: string, cents?: number): Dispute {
    const dispute = this.begun(orderId, cents);
    move(dispute, 'DEBIT');
    move(dispute, 'DEBIT', 'CHARGEBACK_FEE', { ...dispute.amount, value: FEE });
    return this.changed(dispute, 'CUSTOMER.DISPUTE.CREATED');
  }

  private begun(orderId: string, cents?: number): Dispute {
    const order = this.state.kept.order[orderId];
    const [capture] = order ? this.state.capturesOf(order) : [];
    if (!order || capture?.status !== 'COMPLETED') throw notFound();
    const create_time = new Date().toISOString();
    const { amount } = order.unit;
    const dispute: Dispute = {
      account: order.account,
      id: `PP-R-ABC-${randomInt(10_000_000, 99_999_999)}`,
      capture: capture.id,
      status: 'WAITING_FOR_SELLER_RESPONSE',
      outcome: null,
      amount: cents === undefined ? amount : { ...amount, value: (cents / 100).toFixed(2) },
      moved: [],
      create_time,
      update_time: create_time,
    };
    this.state.kept.dispute[dispute.id] = dispute;
    return dispute;
  }

  private changed(dispute: Dispute, type: string): Dispute {
    dispute.update_time = new Date().toISOString();
    this.tell({ account: dispute.account, type, resource: this.shown.dispute(dispute) });
    this.state.save();
    return dispute;
  }
}

function move(
  { moved, amount: whole }: Dispute,
  type: 'DEBIT' | 'CREDIT',
  reason = 'DISPUTE_SETTLEMENT',
  amount: Money = whole,
): void {
  moved.push({ type, reason, amount, initiated_time: new Date().toISOString() });
}
