/** Checkout.com's money operations. Captures, voids and refunds are accepted first and completed a moment later. */
import { type Answer, jsonAnswer } from '../kit/exchange.js';
import {
  type Action,
  approved,
  balancesOf,
  CARDS,
  type Fields,
  idOf,
  notRefused,
  type Payment,
  PAYMENT_TYPES,
  type PaymentType,
  shown,
  type State,
  statusOf,
  sumOf,
} from './state.js';

/** Delay until an accepted operation completes. */
const ASYNCHRONOUS_MS = 5;
/** With the fault `fails_later`, a refund first succeeds, and fails after this additional delay. */
const FAILS_AFTER_MS = 200;

/** An event about a payment, as webhook endpoints receive it. */
export interface PaymentEvent {
  account: string;
  type: string;
  data: Fields;
}

export const invalid = (...codes: string[]): Answer =>
  jsonAnswer(422, { request_id: idOf('req'), error_type: 'request_invalid', error_codes: codes });
export const empty = (status: number): Answer => ({ status, body: '', headers: {} });
const forbidden = (): Answer => empty(403);
export const missing = (): Answer => empty(404);

const EVENTS: Record<Action['type'], [done: string, refused: string]> = {
  Authorization: ['payment_approved', 'payment_declined'],
  Capture: ['payment_captured', 'payment_capture_declined'],
  Void: ['payment_voided', 'payment_void_declined'],
  Refund: ['payment_refunded', 'payment_refund_declined'],
};

/** The states that a test can give a kept card, each with the test card that then decides. */
const KEPT_CARDS = {
  good: 'good',
  declined: 'declined',
  stolen: 'stolen',
  authentication_required: 'authenticationRequired',
} as const;
export const KEPT_CARD_CHANGES = ['good', 'declined', 'stolen', 'authentication_required', 'deleted'] as const;
type KeptCardChange = (typeof KEPT_CARD_CHANGES)[number];

export const isPaymentType = (value: unknown): value is PaymentType => PAYMENT_TYPES.some((type) => type === value);

/** Returns the code and text with which the bank refuses a card; null if it approves. */
function refusalOf(card: string, isHolderAbsent: boolean): [code: string, summary: string] | null {
  if (card === CARDS.declined) return ['20051', 'Insufficient Funds'];
  if (card === CARDS.stolen) return ['30043', 'Stolen Card - Pick Up'];
  if (card === CARDS.authenticationRequired && isHolderAbsent) return ['20154', 'Payment declined - SCA required'];
  return null;
}

export class MoneyDesk {
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly state: State,
    private readonly tell: (told: PaymentEvent) => void,
    /** Returns the outcome that a fault sets for the next refund; null if no fault does. */
    private readonly nextRefund: () => 'pending' | 'fails_later' | null,
  ) {}

  close(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  request(account: string, body: Fields): Answer {
    const { amount, currency, reference, metadata, processing_channel_id: channel, capture } = body;
    const source = (body['source'] ?? {}) as { token?: unknown; id?: unknown };
    const {
      payment_type = 'Regular',
      merchant_initiated: isHolderAbsent = false,
      previous_payment_id: previous,
    } = body;
    const instrument = typeof source.id === 'string' ? this.state.kept.instrument[source.id] : undefined;
    const card = source.token ?? instrument?.card;
    if (typeof amount !== 'number' || !Number.isInteger(amount) || amount < 1) return invalid('amount_invalid');
    if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return invalid('currency_invalid');
    if (typeof channel !== 'string') return invalid('processing_channel_id_required');
    if (source.id !== undefined && instrument?.account !== account) return invalid('source_id_unknown');
    if (typeof card !== 'string' || !/^tok_[a-z2-7]{26}$/.test(card)) return invalid('token_invalid');
    if (!isPaymentType(payment_type)) return invalid('payment_type_invalid');
    if (isHolderAbsent && payment_type === 'Recurring' && !this.isAgreement(account, previous))
      return invalid('previous_payment_id_invalid');
    // The stand-in supports only authorization followed by a separate capture, because the platform uses nothing else.
    if (capture !== false) return invalid('capture_unsupported_by_standin');
    const tags = (metadata ?? {}) as Record<string, string>;
    const named = typeof reference === 'string' ? { reference } : {};
    const of = { amount, currency, metadata: tags, payment_type, ...named };
    const options = { isHolderAbsent: isHolderAbsent === true, ...(instrument && { instrument: instrument.id }) };
    return jsonAnswer(201, shown(this.authorize(account, card, of, options)));
  }

  /** Reports whether the holder agreed to later payments with this payment. */
  private isAgreement(account: string, id: unknown): boolean {
    const payment = typeof id === 'string' ? this.state.kept.payment[id] : undefined;
    return payment?.account === account && payment.payment_type === 'Recurring';
  }

  /** DELETE /instruments/{id} */
  deleteInstrument(account: string, id: string): Answer {
    if (this.state.kept.instrument[id]?.account !== account) return missing();
    delete this.state.kept.instrument[id];
    this.state.save();
    return empty(204);
  }

  /** GET /instruments/{id} */
  readInstrument(account: string, id: string): Answer {
    return this.state.kept.instrument[id]?.account === account ? jsonAnswer(200, { id, type: 'card' }) : missing();
  }

  /**
   * Changes what a kept card does from now on.
   * @throws Error when the payment kept no card
   */
  changeKeptCard(paymentId: string, becomes: KeptCardChange): { id: string } {
    const id = this.state.kept.payment[paymentId]?.source.id ?? '';
    const instrument = this.state.kept.instrument[id];
    if (!instrument) throw new Error('This payment kept no card.');
    if (becomes === 'deleted') delete this.state.kept.instrument[id];
    else instrument.card = CARDS[KEPT_CARDS[becomes]];
    this.state.save();
    return { id };
  }

  /** Requests an authorization from the card's bank. A recurring payment stores the card. */
  authorize(
    account: string,
    card: string,
    of: Pick<Payment, 'amount' | 'currency' | 'metadata' | 'payment_type'> & { reference?: string },
    { isHolderAbsent = false, instrument = idOf('src') }: { isHolderAbsent?: boolean; instrument?: string } = {},
  ): Payment {
    const refusal = refusalOf(card, isHolderAbsent);
    const refused = refusal !== null;
    const [response_code, response_summary] = refusal ?? ['10000', 'Approved'];
    const at = new Date().toISOString();
    const authorization: Action = {
      id: idOf('act'),
      type: 'Authorization',
      amount: of.amount,
      approved: !refused,
      processed_on: at,
      response_code,
      response_summary,
    };
    const payment: Payment = {
      account,
      id: idOf('pay'),
      ...of,
      requested_on: at,
      response_code,
      response_summary,
      actions: [authorization],
      card,
      source: { id: instrument, type: 'card' },
    };
    this.state.kept.payment[payment.id] = payment;
    if (of.payment_type === 'Recurring' && !refused)
      this.state.kept.instrument[instrument] ??= { account, id: instrument, card };
    this.emitEvent(payment, authorization);
    return payment;
  }

  capture(payment: Payment, body: Fields): Answer {
    const pending = payment.actions.some(
      ({ type, approved: isApproved }) => type === 'Capture' && isApproved === undefined,
    );
    if (statusOf(payment) !== 'Authorized' || pending || isBeingVoided(payment)) return forbidden();
    const amount = typeof body['amount'] === 'number' ? body['amount'] : payment.amount;
    if (amount > payment.amount) return invalid('amount_exceeds_balance');
    return this.accepted(payment, { type: 'Capture', amount }, body, payment.card !== CARDS.captureDeclined);
  }

  release(payment: Payment, body: Fields): Answer {
    const taking = payment.actions.some((action) => action.type === 'Capture' && notRefused(action));
    if (statusOf(payment) !== 'Authorized' || taking || isBeingVoided(payment)) return forbidden();
    return this.accepted(payment, { type: 'Void', amount: payment.amount }, body, true);
  }

  refund(payment: Payment, body: Fields): Answer {
    const captured = sumOf(payment, 'Capture', approved);
    const refundable = captured - sumOf(payment, 'Refund', notRefused);
    if (refundable === 0 || this.state.isDisputed(payment)) return forbidden();
    const amount = typeof body['amount'] === 'number' ? body['amount'] : refundable;
    if (amount > refundable) return invalid('refund_amount_exceeds_balance');
    const outcome = this.nextRefund() ?? (payment.card === CARDS.refundPending ? 'pending' : null);
    const answer = this.accepted(payment, { type: 'Refund', amount }, body, outcome === 'pending' ? null : true);
    const refund = payment.actions.at(-1);
    if (outcome === 'fails_later' && refund)
      this.later(() => this.concludeAction(payment, refund, false), FAILS_AFTER_MS);
    return answer;
  }

  /** Sets the outcome of a refund. @throws Error when there is no such refund */
  conclude(id: string, status: 'COMPLETED' | 'FAILED'): { status: string } {
    for (const payment of Object.values(this.state.kept.payment)) {
      const refund = payment.actions.find((action) => action.type === 'Refund' && action.id === id);
      if (!refund) continue;
      this.concludeAction(payment, refund, status === 'COMPLETED');
      return { status: refund.response_summary ?? '' };
    }
    throw new Error('There is no such refund.');
  }

  /**
   * Adds an action to a payment, returns a 202 response at once, and completes the action a moment later.
   * @param succeeds the outcome; null if the control port sets the outcome later
   */
  private accepted(
    payment: Payment,
    of: Pick<Action, 'type' | 'amount'>,
    { reference }: Fields,
    succeeds: boolean | null,
  ): Answer {
    const named = typeof reference === 'string' ? { reference } : {};
    const action: Action = { id: idOf('act'), ...of, ...named, processed_on: new Date().toISOString() };
    payment.actions.push(action);
    if (succeeds !== null) this.later(() => this.concludeAction(payment, action, succeeds), ASYNCHRONOUS_MS);
    return jsonAnswer(202, { action_id: action.id, ...named });
  }

  private concludeAction(payment: Payment, action: Action, succeeds: boolean): void {
    const moves = succeeds && action.approved !== true;
    action.approved = succeeds;
    action.processed_on = new Date().toISOString();
    action.response_code = succeeds ? '10000' : '20068';
    action.response_summary = succeeds ? 'Approved' : 'Declined by the bank';
    if (moves && action.type === 'Capture') this.state.moved('capture', payment, action.amount);
    if (moves && action.type === 'Refund') this.state.moved('refund', payment, action.amount);
    this.state.save();
    this.emitEvent(payment, action);
  }

  private emitEvent(payment: Payment, action: Action): void {
    const { account, id, reference, metadata, currency } = payment;
    const { id: action_id, amount, processed_on, response_code, response_summary } = action;
    const fields = { id, action_id, reference, amount, currency, processed_on, response_code, response_summary };
    const [done, refused] = EVENTS[action.type];
    const data = { ...fields, balances: balancesOf(payment), metadata };
    this.tell({ account, type: action.approved ? done : refused, data });
  }

  private later(act: () => void, ms: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      act();
    }, ms);
    this.timers.add(timer.unref());
  }
}

const isBeingVoided = ({ actions }: Payment): boolean =>
  actions.some(({ type, approved: isApproved }) => type === 'Void' && isApproved === undefined);
