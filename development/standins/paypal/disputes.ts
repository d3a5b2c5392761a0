/** Chargebacks: the bank takes the money with a fee, and gives it back once it has decided for the seller. */
import { randomInt } from 'node:crypto';
import type { z } from 'zod';
import type { DisputeOrder } from '../kit/orders.js';
import { notFound } from './errors.js';
import type { Told } from './money.js';
import type { Shown } from './shown.js';
import { type Dispute, type Fields, type Money, type State } from './state.js';

const FEE = '20.00';

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

  private open(orderId: string, cents?: number): Dispute {
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
    move(dispute, 'DEBIT');
    move(dispute, 'DEBIT', 'CHARGEBACK_FEE', { ...amount, value: FEE });
    return this.changed(dispute, 'CUSTOMER.DISPUTE.CREATED');
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
