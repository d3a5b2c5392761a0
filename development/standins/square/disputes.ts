/**
 * Disputes: Square withholds the disputed money when the bank asks for evidence, and returns it only if the bank
 * decides for the seller.
 */
import type { z } from 'zod';
import type { DisputeOrder } from '../kit/orders.js';
import { badRequest, notFound } from './errors.js';
import { shown, type SquareEvent } from './money.js';
import { type Dispute, type Fields, newId, type State } from './state.js';

const EVIDENCE_DAYS = 7;
const PAGE_SIZE = 20;

interface DisputeQuery {
  account: string;
  query: URLSearchParams;
}

export class DisputeDesk {
  constructor(
    private readonly state: State,
    private readonly tell: (told: SquareEvent) => void,
  ) {}

  find(account: string, id: string): Dispute & { account: string } {
    const dispute = this.state.kept.dispute[id];
    if (dispute?.account !== account) throw notFound();
    return dispute;
  }

  /** GET /v2/disputes: disputes of a location, in pages. */
  list({ account, query }: DisputeQuery): Fields {
    const location = query.get('location_id');
    const found = Object.values(this.state.kept.dispute).filter(
      (one) => one.account === account && (location === null || one.location_id === location),
    );
    const begin = Number(query.get('cursor') ?? 0);
    if (!Number.isSafeInteger(begin) || begin < 0) throw badRequest('INVALID_CURSOR');
    const more = begin + PAGE_SIZE < found.length && { cursor: String(begin + PAGE_SIZE) };
    return { disputes: found.slice(begin, begin + PAGE_SIZE).map(shown), ...more };
  }

  /**
   * Acts as the payer's bank: opens a dispute or decides one.
   * @throws SquareRefusal when the order is not possible
   */
  order(order: z.infer<typeof DisputeOrder>): Dispute {
    if (order.kind === 'dispute_open') return this.open(order.charge, order.amount_cents);
    const dispute = this.state.kept.dispute[order.dispute];
    if (!dispute) throw notFound();
    dispute.state = order.kind === 'dispute_won' ? 'WON' : 'LOST';
    return this.changed(dispute, 'dispute.state.updated');
  }

  private open(paymentId: string, amount?: number): Dispute {
    const payment = this.state.kept.payment[paymentId];
    if (payment?.status !== 'COMPLETED') throw notFound();
    const id = newId();
    const now = new Date();
    const dispute: Dispute & { account: string } = {
      account: payment.account,
      id,
      dispute_id: id,
      amount_money: { ...payment.amount_money, amount: amount ?? payment.amount_money.amount },
      reason: 'NO_KNOWLEDGE',
      state: 'EVIDENCE_REQUIRED',
      due_at: new Date(now.getTime() + EVIDENCE_DAYS * 86_400_000).toISOString(),
      disputed_payment: { payment_id: paymentId },
      card_brand: 'VISA',
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
      reported_at: now.toISOString(),
      version: 0,
      location_id: String(payment['location_id']),
    };
    this.state.kept.dispute[id] = dispute;
    return this.changed(dispute, 'dispute.created');
  }

  private changed(dispute: Dispute & { account: string }, type: string): Dispute {
    dispute.version += 1;
    dispute.updated_at = new Date().toISOString();
    this.state.save();
    this.tell({ account: dispute.account, type, object: { dispute: shown(dispute) } });
    return dispute;
  }
}
