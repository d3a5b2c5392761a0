/** Converts the stored objects to PayPal's answers. */
import type { Authorization, Capture, Dispute, Fields, Order, Refund, State } from './state.js';
import { centsOf } from './state.js';

export class PaypalPresenter {
  constructor(
    private readonly state: State,
    private readonly url: () => string,
  ) {}

  order(order: Order): Fields {
    const { id, status, intent, unit, create_time } = order;
    const captures = this.state.capturesOf(order);
    const authorizations = Object.values(this.state.kept.authorization).filter((one) => one.order === id);
    const payments = {
      ...(authorizations.length > 0 && { authorizations: authorizations.map((one) => this.authorization(one)) }),
      ...(captures.length > 0 && { captures: captures.map((one) => this.capture(one)) }),
      ...nonEmpty(captures.flatMap((one) => this.state.refundsOf(one)).map((one) => this.refund(one))),
    };
    const approve = [{ href: `${this.url()}/checkoutnow?token=${id}`, rel: 'approve', method: 'GET' }];
    const self = { href: `${this.url()}/v2/checkout/orders/${id}`, rel: 'self', method: 'GET' };
    return {
      id,
      status,
      intent,
      purchase_units: [{ ...unit, ...(Object.keys(payments).length > 0 && { payments }) }],
      create_time,
      links: [self, ...(status === 'CREATED' ? approve : [])],
    };
  }

  authorization({ id, status, order, create_time }: Authorization): Fields {
    return { id, status, ...this.unitOf(order), create_time };
  }

  capture(capture: Capture): Fields {
    const { id, order, create_time } = capture;
    const refused = capture.status === 'DECLINED' && { processor_response: { response_code: '0500' } };
    return {
      id,
      status: this.statusOf(capture),
      ...this.unitOf(order),
      ...refused,
      final_capture: true,
      supplementary_data: { related_ids: { order_id: order } },
      create_time,
    };
  }

  refund({ id, status, amount, custom_id, capture, create_time }: Refund): Fields {
    const up = { href: `${this.url()}/v2/payments/captures/${capture}`, rel: 'up', method: 'GET' };
    return { id, status, amount, ...(custom_id && { custom_id }), create_time, links: [up] };
  }

  dispute(dispute: Dispute): Fields {
    const { capture, moved, outcome } = dispute;
    const order = this.state.kept.capture[capture]?.order ?? '';
    const { custom_id: custom, amount: gross_amount } = this.unitOf(order);
    const endRefund = this.state.endOf(dispute);
    const got = endRefund && { party: 'BUYER', type: 'CREDIT', reason: 'DISPUTE_SETTLEMENT', amount: endRefund.amount };
    return {
      ...this.summary(dispute),
      disputed_transactions: [{ seller_transaction_id: capture, ...(custom ? { custom } : {}), gross_amount }],
      ...(outcome && {
        dispute_outcome: { outcome_code: outcome, ...(endRefund && { amount_refunded: endRefund.amount }) },
      }),
      ...(!outcome && { seller_response_due_date: dueAfter(dispute.create_time) }),
      fund_movements: [
        ...moved.map((one) => ({ party: 'SELLER', ...one })),
        ...(got ? [{ ...got, initiated_time: endRefund.create_time }] : []),
      ],
    };
  }

  /** Returns a dispute as lists show it. */
  summary({ id, status, amount, create_time, update_time }: Dispute): Fields {
    return {
      dispute_id: id,
      create_time,
      update_time,
      reason: 'UNAUTHORISED',
      status,
      dispute_state: status === 'RESOLVED' ? 'RESOLVED' : 'REQUIRED_ACTION',
      dispute_amount: amount,
      dispute_life_cycle_stage: 'CHARGEBACK',
      dispute_channel: 'EXTERNAL',
      links: [{ href: `${this.url()}/v1/customer/disputes/${id}`, rel: 'self', method: 'GET' }],
    };
  }

  private statusOf(capture: Capture): string {
    if (capture.status !== 'COMPLETED') return capture.status;
    const completedRefunds = this.state.refundsOf(capture).filter(({ status }) => status === 'COMPLETED');
    const cents = completedRefunds.reduce((sum, { amount }) => sum + centsOf(amount), 0);
    if (cents === 0) return 'COMPLETED';
    const order = this.state.kept.order[capture.order];
    return order && cents >= centsOf(order.unit.amount) ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  }

  private unitOf(order: string): Fields {
    const unit = this.state.kept.order[order]?.unit;
    return { amount: unit?.amount, ...(unit?.custom_id && { custom_id: unit.custom_id }) };
  }
}

const EVIDENCE_DAYS = 10;
const dueAfter = (opened: string): string => new Date(Date.parse(opened) + EVIDENCE_DAYS * 86_400_000).toISOString();

const nonEmpty = (refunds: Fields[]): Fields => (refunds.length > 0 ? { refunds } : {});
