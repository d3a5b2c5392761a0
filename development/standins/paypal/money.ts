/** PayPal's money operations: authorize, capture, void, refund. */
import { malformed, notFound, unprocessable } from './errors.js';
import {
  type Authorization,
  type Capture,
  centsOf,
  type Fields,
  type Money,
  newId,
  type Order,
  type Refund,
  type State,
} from './state.js';

/** Names of the vault tokens, by what the payment method does. */
export const VAULT = {
  good: 'vaultgood',
  declined: 'vaultdeclined',
  needsHolder: 'vaultneedsholder',
  captureDeclined: 'vaultcapturedeclined',
  capturePending: 'vaultcapturepending',
  refundPending: 'vaultrefundpending',
} as const;
export const VAULT_TOKENS: string[] = Object.values(VAULT);

export interface PaypalEvent {
  account: string;
  type: string;
  resource: Fields;
}

export class MoneyDesk {
  constructor(
    private readonly state: State,
    private readonly shown: { capture(one: Capture): Fields; refund(one: Refund): Fields },
    private readonly tell: (told: PaypalEvent) => void,
    /** Returns the outcome that a fault sets for the next refund; null if no fault does. */
    private readonly nextRefund: () => 'pending' | 'fails_later' | null,
  ) {}

  order(account: string, body: Fields): Order {
    const [unit] = (body['purchase_units'] ?? []) as Fields[];
    const { intent } = body;
    if (intent !== 'CAPTURE' && intent !== 'AUTHORIZE') throw malformed('INVALID_PARAMETER_VALUE');
    const amount = moneyIn(unit?.['amount']);
    const custom = unit?.['custom_id'];
    if (custom !== undefined && (typeof custom !== 'string' || custom.length > 127))
      throw malformed('INVALID_STRING_LENGTH');
    const source = sourceIn(body['payment_source']);
    const context = (body['application_context'] ?? {}) as { return_url?: string };
    const order: Order = {
      account,
      id: newId(),
      status: 'CREATED',
      intent,
      unit: { reference_id: 'default', amount, ...(custom && { custom_id: custom }) },
      return_url: context.return_url ?? null,
      source,
      create_time: now(),
    };
    if (source === VAULT.declined) throw unprocessable('INSTRUMENT_DECLINED');
    if (source !== null && !VAULT_TOKENS.includes(source)) throw unprocessable('TOKEN_ID_NOT_FOUND');
    this.state.kept.order[order.id] = order;
    if (source === VAULT.needsHolder) order.status = 'PAYER_ACTION_REQUIRED';
    else if (source !== null) this.completeOrder(order);
    return order;
  }

  /** Captures or authorizes the amount of a new order at once, because its request contains a vault token. */
  private completeOrder(order: Order): void {
    if (order.intent === 'CAPTURE') return void this.captureFunds(order);
    const { account, id } = order;
    const hold: Authorization = { account, id: newId(), order: id, status: 'CREATED', create_time: now() };
    this.state.kept.authorization[hold.id] = hold;
    order.status = 'COMPLETED';
  }

  find<K extends 'order' | 'authorization' | 'capture' | 'refund' | 'dispute'>(kind: K, account: string, id: string) {
    const found = this.state.kept[kind][id] as State['kept'][K][string] | undefined;
    if (!found || found.account !== account) throw notFound();
    return found;
  }

  /** Captures an order that its payer has approved. */
  captureOrder(account: string, id: string): Order {
    const order = this.find('order', account, id);
    if (order.intent !== 'CAPTURE') throw unprocessable('ACTION_DOES_NOT_MATCH_INTENT');
    if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_CAPTURED');
    if (order.status !== 'APPROVED') throw unprocessable('ORDER_NOT_APPROVED');
    if (order.source === VAULT.declined) {
      order.status = 'CREATED';
      throw unprocessable('INSTRUMENT_DECLINED');
    }
    this.captureFunds(order);
    return order;
  }

  patch(account: string, id: string, changes: unknown): void {
    const order = this.find('order', account, id);
    if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_COMPLETED');
    if (order.status === 'PAYER_ACTION_REQUIRED') throw unprocessable('NOT_PATCHABLE');
    for (const { op, path, value } of (Array.isArray(changes) ? changes : []) as Fields[]) {
      if (op !== 'replace' || path !== '/intent') throw unprocessable('NOT_PATCHABLE');
      if (value !== 'CAPTURE' && value !== 'AUTHORIZE') throw malformed('INVALID_PARAMETER_VALUE');
      order.intent = value;
    }
  }

  capture(account: string, id: string): Capture {
    const hold = this.find('authorization', account, id);
    if (hold.status === 'VOIDED') throw unprocessable('AUTHORIZATION_VOIDED');
    if (hold.status === 'CAPTURED') throw unprocessable('AUTHORIZATION_ALREADY_CAPTURED');
    const order = this.find('order', account, hold.order);
    const capture = this.captureFunds(order);
    if (capture.status !== 'DECLINED') hold.status = 'CAPTURED';
    return capture;
  }

  release(account: string, id: string): void {
    const hold = this.find('authorization', account, id);
    if (hold.status === 'VOIDED') throw unprocessable('PREVIOUSLY_VOIDED');
    if (hold.status === 'CAPTURED') throw unprocessable('PREVIOUSLY_CAPTURED');
    hold.status = 'VOIDED';
  }

  private captureFunds(order: Order): Capture {
    const { account, source } = order;
    const capture: Capture = { account, id: newId(), order: order.id, status: 'PENDING', create_time: now() };
    this.state.kept.capture[capture.id] = capture;
    order.status = 'COMPLETED';
    if (source === VAULT.capturePending) {
      this.emitCapture('PAYMENT.CAPTURE.PENDING', capture);
      setTimeout(() => this.concludeCapture(capture, true), 5).unref();
    } else this.concludeCapture(capture, source !== VAULT.captureDeclined);
    return capture;
  }

  private concludeCapture(capture: Capture, succeeds: boolean): void {
    capture.status = succeeds ? 'COMPLETED' : 'DECLINED';
    const order = this.find('order', capture.account, capture.order);
    if (succeeds) this.state.moved('capture', capture.id, order.unit.amount);
    this.emitCapture(succeeds ? 'PAYMENT.CAPTURE.COMPLETED' : 'PAYMENT.CAPTURE.DECLINED', capture);
    this.state.save();
  }

  refund(account: string, captureId: string, body: Fields): Refund {
    const capture = this.find('capture', account, captureId);
    if (capture.status !== 'COMPLETED') throw unprocessable('CAPTURE_NOT_COMPLETED');
    const order = this.find('order', account, capture.order);
    const disputedCents = this.state.disputedCentsOf(capture);
    const refundableCents = centsOf(order.unit.amount) - this.refundedCents(capture) - disputedCents;
    if (refundableCents === 0) throw unprocessable('CAPTURE_FULLY_REFUNDED');
    const amount = body['amount']
      ? moneyIn(body['amount'])
      : { ...order.unit.amount, value: (refundableCents / 100).toFixed(2) };
    if (disputedCents > 0) throw unprocessable('TRANSACTION_DISPUTED');
    if (centsOf(amount) > refundableCents) throw unprocessable('REFUND_AMOUNT_EXCEEDED');
    const refund: Refund = {
      account,
      id: newId(),
      capture: captureId,
      status: 'PENDING',
      amount,
      ...(typeof body['custom_id'] === 'string' && { custom_id: body['custom_id'] }),
      create_time: now(),
    };
    this.state.kept.refund[refund.id] = refund;
    const outcome = this.nextRefund() ?? (order.source === VAULT.refundPending ? 'pending' : null);
    if (outcome === 'pending') this.emitRefund('PAYMENT.REFUND.PENDING', refund);
    else this.conclude(refund.id, 'COMPLETED');
    if (outcome === 'fails_later') setTimeout(() => this.conclude(refund.id, 'FAILED'), 200).unref();
    return refund;
  }

  conclude(id: string, status: 'COMPLETED' | 'FAILED'): Refund {
    const refund = this.state.kept.refund[id];
    if (!refund) throw notFound();
    if (status === 'COMPLETED' && refund.status === 'PENDING')
      this.state.moved('refund', refund.capture, refund.amount);
    refund.status = status;
    this.emitRefund(status === 'COMPLETED' ? 'PAYMENT.CAPTURE.REFUNDED' : 'PAYMENT.REFUND.FAILED', refund);
    this.state.save();
    return refund;
  }

  refundedCents = (capture: Capture): number =>
    this.state
      .refundsOf(capture)
      .filter(({ status }) => status !== 'FAILED')
      .reduce((sum, { amount }) => sum + centsOf(amount), 0);

  private emitCapture(type: string, capture: Capture): void {
    this.tell({ account: capture.account, type, resource: this.shown.capture(capture) });
  }
  private emitRefund(type: string, refund: Refund): void {
    this.tell({ account: refund.account, type, resource: this.shown.refund(refund) });
  }
}

const now = (): string => new Date().toISOString();

function moneyIn(value: unknown): Money {
  const { currency_code, value: amount } = (value ?? {}) as Partial<Money>;
  if (currency_code !== 'USD') throw unprocessable('CURRENCY_NOT_SUPPORTED');
  if (typeof amount !== 'string' || !/^\d{1,7}\.\d\d$/.test(amount)) throw malformed('INVALID_PARAMETER_VALUE');
  if (Number(amount) <= 0) throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE');
  return { currency_code, value: amount };
}

/**
 * Returns the vault token of a request's payment source. Null if the request has no payment source; the payer then
 * chooses one on the page.
 */
function sourceIn(value: unknown): string | null {
  const { card, paypal } = (value ?? {}) as Record<'card' | 'paypal', { vault_id?: unknown } | undefined>;
  const token = card?.vault_id ?? paypal?.vault_id;
  if (value !== undefined && typeof token !== 'string') throw malformed('MISSING_REQUIRED_PARAMETER');
  return typeof token === 'string' ? token : null;
}
