/**
 * Disputes at PayPal. Chargeback: the bank withdraws the money and a fee, and returns the money if it decides for the
 * seller. Claim: no money moves until the claim ends with a refund; PayPal then returns a part of its own fee to the
 * seller.
 */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { DisputeOrder } from '../kit/orders.js';
import { notFound } from './errors.js';
import type { PaypalEvent } from './money.js';
import type { PaypalPresenter } from './shown.js';
import { type Dispute, type Fields, type Money, newId, type State } from './state.js';

const FEE = '20.00';

/**
 * Requests of the control port that open and end a payer's claim. A claim ends with a refund of `amount_cents`, of
 * which `fee_cents` come from PayPal's own fee.
 */
export const Claim = z.strictObject({ charge: z.string().min(1), amount_cents: z.int().positive().optional() });
export const ClaimEnd = z.strictObject({
  dispute: z.string().min(1),
  amount_cents: z.int().positive(),
  fee_cents: z.int().min(0).default(0),
});

export class DisputeDesk {
  constructor(
    private readonly state: State,
    private readonly shown: PaypalPresenter,
    private readonly tell: (told: PaypalEvent) => void,
  ) {}

  /** GET /v1/customer/disputes: summaries of the disputes, optionally of one transaction. */
  list(account: string, transaction: string | null): Fields {
    const found = Object.values(this.state.kept.dispute).filter(
      (one) => one.account === account && (transaction === null || one.capture === transaction),
    );
    return { items: found.map((one) => this.shown.summary(one)), links: [] };
  }

  /**
   * Acts as the payer's bank: opens a dispute or decides one.
   * @throws PaypalRefusal when the order is not possible
   */
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

  /**
   * Opens a payer's claim about a captured order.
   * @throws PaypalRefusal when nothing was captured
   */
  claim({ charge, amount_cents }: z.infer<typeof Claim>): Dispute {
    return this.changed(this.create(charge, amount_cents), 'CUSTOMER.DISPUTE.CREATED');
  }

  /**
   * Ends a claim with a refund to the payer.
   * @throws PaypalRefusal when there is no such open claim
   */
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
    const dispute = this.create(orderId, cents);
    move(dispute, 'DEBIT');
    move(dispute, 'DEBIT', 'CHARGEBACK_FEE', { ...dispute.amount, value: FEE });
    return this.changed(dispute, 'CUSTOMER.DISPUTE.CREATED');
  }

  private create(orderId: string, cents?: number): Dispute {
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
  { moved, amount: disputedAmount }: Dispute,
  type: 'DEBIT' | 'CREDIT',
  reason = 'DISPUTE_SETTLEMENT',
  amount: Money = disputedAmount,
): void {
  moved.push({ type, reason, amount, initiated_time: new Date().toISOString() });
}
