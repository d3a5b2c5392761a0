/** Payments and refunds: the operations that authorize, capture and refund. */
import { badRequest, notFound, SquareRefusal } from './errors.js';
import { type Fields, type Money, newId, type Payment, type Refund, type State } from './state.js';

/**
 * Square's own sandbox tokens, and one additional token. Refunds of payments with the additional token stay pending.
 */
const CARDS: Readonly<Record<string, string | null>> = {
  'cnon:card-nonce-ok': null,
  'cnon:card-nonce-refund-pending': null,
  'cnon:card-nonce-declined': 'GENERIC_DECLINE',
  'cnon:card-nonce-rejected-cvv': 'CVV_FAILURE',
  'cnon:card-nonce-rejected-expiration': 'INVALID_EXPIRATION',
};
export const CARD_TOKENS = Object.keys(CARDS);

export interface SquareEvent {
  account: string;
  type: string;
  object: Fields;
}

export class MoneyDesk {
  constructor(
    private readonly state: State,
    private readonly tell: (told: SquareEvent) => void,
    /** Returns the outcome that a fault sets for the next refund; null if no fault does. */
    private readonly nextRefund: () => 'pending' | 'fails_later' | null,
  ) {}

  /**
   * Creates a payment.
   * @throws SquareRefusal with the failed payment, if the card is refused
   */
  pay(account: string, body: Fields): Payment {
    const money = moneyIn(body['amount_money']);
    if (typeof body['source_id'] !== 'string' || !(body['source_id'] in CARDS)) throw badRequest('INVALID_CARD_DATA');
    const refused = CARDS[body['source_id']];
    const now = new Date().toISOString();
    const payment: Payment & { account: string } = {
      account,
      id: newId(),
      status: refused ? 'FAILED' : 'APPROVED',
      source_type: 'CARD',
      amount_money: money,
      total_money: money,
      approved_money: money,
      location_id: body['location_id'],
      reference_id: body['reference_id'],
      note: body['note'],
      ...(typeof body['order_id'] === 'string' && { order_id: body['order_id'] }),
      card_details: {
        status: refused ? 'FAILED' : 'AUTHORIZED',
        source: body['source_id'],
        ...(refused && { errors: [{ category: 'PAYMENT_METHOD_ERROR', code: refused }] }),
      },
      refund_ids: [],
      created_at: now,
      updated_at: now,
    };
    this.state.kept.payment[payment.id] = payment;
    this.emitEvent(payment, 'payment.created');
    if (refused) throw new SquareRefusal(402, 'PAYMENT_METHOD_ERROR', refused, { payment: shown(payment) });
    return body['autocomplete'] === false ? payment : this.complete(account, payment.id);
  }

  find(account: string, id: string): Payment & { account: string } {
    const payment = this.state.kept.payment[id];
    if (payment?.account !== account) throw notFound();
    return payment;
  }

  complete(account: string, id: string): Payment {
    const payment = this.find(account, id);
    if (payment.status !== 'APPROVED') throw badRequest();
    payment.status = 'COMPLETED';
    this.state.moved('capture', id, payment.amount_money);
    this.emitEvent(payment, 'payment.updated');
    return payment;
  }

  cancel(account: string, id: string): Payment {
    const payment = this.find(account, id);
    if (payment.status !== 'APPROVED') throw badRequest();
    payment.status = 'CANCELED';
    this.emitEvent(payment, 'payment.updated');
    return payment;
  }

  refund(account: string, body: Fields): Refund {
    const payment = this.find(account, String(body['payment_id']));
    const money = moneyIn(body['amount_money']);
    if (payment.status !== 'COMPLETED') throw new SquareRefusal(400, 'REFUND_ERROR', 'PAYMENT_NOT_REFUNDABLE');
    if (this.state.isDisputed(payment))
      throw new SquareRefusal(400, 'REFUND_ERROR', 'PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE');
    if (this.state.refundedAmount(payment) + money.amount > payment.amount_money.amount)
      throw new SquareRefusal(400, 'REFUND_ERROR', 'REFUND_AMOUNT_INVALID');
    const refund: Refund & { account: string } = {
      account,
      id: `${payment.id}_${newId()}`,
      status: 'PENDING',
      amount_money: money,
      payment_id: payment.id,
      reason: body['reason'],
      created_at: new Date().toISOString(),
    };
    this.state.kept.refund[refund.id] = refund;
    payment.refund_ids.push(refund.id);
    this.emitEvent(refund, 'refund.created');
    const card = (payment['card_details'] as Fields)['source'];
    const outcome = this.nextRefund() ?? (card === 'cnon:card-nonce-refund-pending' ? 'pending' : null);
    if (outcome === 'pending') return refund;
    // Like Square, respond before the refund completes. An event reports the completion.
    const pendingAnswer = { ...refund };
    setTimeout(() => {
      this.conclude(refund.id, 'COMPLETED');
      if (outcome === 'fails_later') setTimeout(() => this.conclude(refund.id, 'FAILED'), 200).unref();
    }, 5).unref();
    return pendingAnswer;
  }

  conclude(id: string, status: 'COMPLETED' | 'FAILED'): Refund {
    const refund = this.state.kept.refund[id];
    if (!refund) throw notFound();
    if (status === 'COMPLETED' && refund.status === 'PENDING')
      this.state.moved('refund', refund.payment_id, refund.amount_money);
    refund.status = status;
    this.emitEvent(refund, 'refund.updated');
    this.state.save();
    return refund;
  }

  private emitEvent(object: (Payment | Refund) & { account: string }, type: string): void {
    object['updated_at'] = new Date().toISOString();
    this.tell({ account: object.account, type, object: { [type.split('.')[0] ?? '']: shown(object) } });
  }
}

/** Returns an object as API responses show it, without the account that it belongs to. */
export function shown(object: Fields): Fields {
  const copy = structuredClone(object);
  delete copy['account'];
  return copy;
}

export function moneyIn(value: unknown): Money {
  const { amount, currency } = (value ?? {}) as Partial<Money>;
  if (!Number.isSafeInteger(amount) || (amount ?? 0) < 1 || currency !== 'USD') throw badRequest('INVALID_VALUE');
  return { amount: amount as number, currency };
}
