/**
 * Disputes: Checkout.com withholds the disputed money when it asks for evidence, and returns it only if the bank
 * decides for the merchant.
 */
import type { z } from 'zod';
import { type Answer, jsonAnswer } from '../kit/exchange.js';
import type { DisputeOrder } from '../kit/orders.js';
import { invalid, missing, type PaymentEvent } from './operations.js';
import { approved, type Dispute, type Fields, idOf, type State, sumOf } from './state.js';

const EVIDENCE_DAYS = 7;
const MAX_LIMIT = 250;

const EVENTS: Record<Dispute['status'], string> = {
  evidence_required: 'dispute_evidence_required',
  won: 'dispute_won',
  lost: 'dispute_lost',
};

/** Returns a dispute as it appears in a list, without the internal field for the account. */
function listEntry(dispute: Dispute): Fields {
  const { account: _, ...shown } = dispute;
  return shown;
}

export class DisputeDesk {
  constructor(
    private readonly state: State,
    private readonly tell: (told: PaymentEvent) => void,
  ) {}

  /** GET /disputes/{id} */
  read(account: string, id: string): Answer {
    const dispute = this.state.kept.dispute[id];
    if (dispute?.account !== account) return missing();
    const { account: _, payment_id, ...shown } = dispute;
    return jsonAnswer(200, { ...shown, payment: { id: payment_id, currency: dispute.currency } });
  }

  /**
   * GET /disputes: lists the disputes of one payment, or the disputes that changed within a time range. The latest
   * change comes first.
   */
  list(account: string, query: URLSearchParams): Answer {
    const [limit, skip] = [Number(query.get('limit') ?? 50), Number(query.get('skip') ?? 0)];
    if (!(limit >= 1 && limit <= MAX_LIMIT) || !(skip >= 0)) return invalid('paging_invalid');
    const [of, from, to] = ['payment_id', 'from', 'to'].map((name) => query.get(name));
    const found = Object.values(this.state.kept.dispute)
      .filter(
        (one) =>
          one.account === account &&
          (!of || one.payment_id === of) &&
          (!from || Date.parse(one.last_update) >= Date.parse(from)) &&
          (!to || Date.parse(one.last_update) <= Date.parse(to)),
      )
      .toSorted((one, other) => Date.parse(other.last_update) - Date.parse(one.last_update));
    const data = found.slice(skip, skip + limit).map(listEntry);
    return jsonAnswer(200, { limit, skip, total_count: found.length, data });
  }

  /**
   * Acts as the payer's bank: opens a dispute or decides one.
   * @throws Error when the order is not possible
   */
  order(order: z.infer<typeof DisputeOrder>): Dispute {
    if (order.kind === 'dispute_open') return this.open(order.charge, order.amount_cents);
    const dispute = this.state.kept.dispute[order.dispute];
    if (!dispute) throw new Error('There is no such dispute.');
    dispute.status = order.kind === 'dispute_won' ? 'won' : 'lost';
    return this.changed(dispute);
  }

  private open(paymentId: string, amount?: number): Dispute {
    const payment = this.state.kept.payment[paymentId];
    const captured = payment ? sumOf(payment, 'Capture', approved) : 0;
    if (!payment || captured === 0) throw new Error('There is no such payment, or nothing was captured.');
    const now = new Date();
    const dispute: Dispute = {
      account: payment.account,
      id: idOf('dsp'),
      category: 'fraudulent',
      amount: amount ?? captured,
      currency: payment.currency,
      reason_code: '10.4',
      status: 'evidence_required',
      evidence_required_by: new Date(now.getTime() + EVIDENCE_DAYS * 86_400_000).toISOString(),
      received_on: now.toISOString(),
      last_update: now.toISOString(),
      payment_id: paymentId,
    };
    this.state.kept.dispute[dispute.id] = dispute;
    return this.changed(dispute);
  }

  private changed(dispute: Dispute): Dispute {
    dispute.last_update = new Date().toISOString();
    this.state.save();
    const { account, id, category, amount, currency, reason_code, payment_id, evidence_required_by } = dispute;
    const data: Fields = { id, category, amount, currency, reason_code, payment_id, evidence_required_by };
    this.tell({ account, type: EVENTS[dispute.status], data: { ...data, date: dispute.last_update } });
    return dispute;
  }
}
