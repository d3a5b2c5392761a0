/** What the stand-in remembers, as PayPal's answers have it. */
import type { Authorization, Capture, Fields, Order, Refund, State } from './state.js';
import { centsOf } from './state.js';

export class Shown {
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

  private statusOf(capture: Capture): string {
    if (capture.status !== 'COMPLETED') return capture.status;
    const back = this.state.refundsOf(capture).filter(({ status }) => status === 'COMPLETED');
    const cents = back.reduce((sum, { amount }) => sum + centsOf(amount), 0);
    if (cents === 0) return 'COMPLETED';
    const order = this.state.kept.order[capture.order];
    return order && cents >= centsOf(order.unit.amount) ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  }

  private unitOf(order: string): Fields {
    const unit = this.state.kept.order[order]?.unit;
    return { amount: unit?.amount, ...(unit?.custom_id && { custom_id: unit.custom_id }) };
  }
}

const nonEmpty = (refunds: Fields[]): Fields => (refunds.length > 0 ? { refunds } : {});
