/** State of the Checkout.com stand-in by account: payments with their actions, links, and disputes. */
import { createHash, randomBytes } from 'node:crypto';
import type { Answer } from '../kit/exchange.js';
import { type CommonState, type WebhookEndpoint, StoredState, type Movement } from '../kit/storedState.js';

export type Fields = Record<string, unknown>;

export interface Action {
  id: string;
  type: 'Authorization' | 'Capture' | 'Void' | 'Refund';
  amount: number;
  reference?: string;
  processed_on: string;
  /** Whether the action succeeded; absent while the outcome is pending. */
  approved?: boolean;
  response_code?: string;
  response_summary?: string;
}

export interface Payment {
  account: string;
  id: string;
  amount: number;
  currency: string;
  reference?: string;
  metadata: Record<string, string>;
  requested_on: string;
  response_code: string;
  response_summary: string;
  /** All actions of the payment, the oldest first. */
  actions: Action[];
  card: string;
  payment_type: PaymentType;
  source: { id: string; type: 'card' };
}

export const PAYMENT_TYPES = ['Regular', 'Recurring'] as const;
export type PaymentType = (typeof PAYMENT_TYPES)[number];

/** A stored card. */
export interface Instrument {
  account: string;
  id: string;
  card: string;
}

export interface Link {
  account: string;
  id: string;
  amount: number;
  currency: string;
  reference: string;
  metadata: Record<string, string>;
  processing_channel_id: string;
  payment_type: PaymentType;
  return_url: string;
  created_on: string;
  expires_on: string;
  payment_id: string | null;
}

export interface Dispute {
  account: string;
  id: string;
  category: string;
  amount: number;
  currency: string;
  reason_code: string;
  status: 'evidence_required' | 'won' | 'lost';
  evidence_required_by: string;
  received_on: string;
  last_update: string;
  payment_id: string;
}

export interface Endpoint extends WebhookEndpoint {
  secret: string;
}

interface StateData extends CommonState<Endpoint> {
  payment: Record<string, Payment>;
  link: Record<string, Link>;
  dispute: Record<string, Dispute>;
  instrument: Record<string, Instrument>;
  /** Stored responses of successful requests, by account and idempotency key. */
  answered: Record<string, Answer>;
}

const empty = (): StateData => ({
  payment: {},
  link: {},
  dispute: {},
  instrument: {},
  answered: {},
  revoked: [],
  endpoints: [],
  ledger: [],
});

/** Names of the card tokens, by what the card does. */
export const CARDS = {
  good: 'tok_aaaaaaaaaaaaaaaaaaaaaaaaaa',
  declined: 'tok_bbbbbbbbbbbbbbbbbbbbbbbbbb',
  captureDeclined: 'tok_cccccccccccccccccccccccccc',
  refundPending: 'tok_dddddddddddddddddddddddddd',
  /** The bank wants the holder, who confirms a payment on a page. Without the holder it is declined. */
  authenticationRequired: 'tok_eeeeeeeeeeeeeeeeeeeeeeeeee',
  stolen: 'tok_ffffffffffffffffffffffffff',
} as const;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

export const idOf = (prefix: string): string =>
  `${prefix}_${[...randomBytes(26)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;

/** Derives the account from its secret key. */
export const accountOf = (key: string): string => `cli_${createHash('sha256').update(key).digest('hex').slice(0, 26)}`;

export class State extends StoredState<StateData> {
  /** @param dataDir folder for the state, so that it survives a restart */
  constructor(dataDir?: string) {
    super(empty, 'checkout', dataDir);
  }

  moved(kind: Movement['kind'], payment: Payment, cents: number): void {
    this.note(kind, payment.id, cents);
  }

  /**
   * Reports whether a dispute about the payment exists that the merchant has not won. The bank has then taken the money
   * back, or may do so.
   */
  isDisputed = ({ id }: Payment): boolean =>
    Object.values(this.kept.dispute).some((one) => one.payment_id === id && one.status !== 'won');
}

export const sumOf = ({ actions }: Payment, type: Action['type'], among: (action: Action) => boolean): number =>
  actions.filter((action) => action.type === type && among(action)).reduce((sum, { amount }) => sum + amount, 0);

export const approved = (action: Action): boolean => action.approved === true;
export const notRefused = (action: Action): boolean => action.approved !== false;

/** Derives the status from the actions. */
export function statusOf(payment: Payment): string {
  if (payment.actions.some((action) => action.type === 'Authorization' && !notRefused(action))) return 'Declined';
  if (payment.actions.some((action) => action.type === 'Void' && approved(action))) return 'Voided';
  const captured = sumOf(payment, 'Capture', approved);
  if (captured === 0) return 'Authorized';
  const refunded = sumOf(payment, 'Refund', approved);
  if (refunded >= captured) return 'Refunded';
  if (refunded > 0) return 'Partially Refunded';
  return captured < payment.amount ? 'Partially Captured' : 'Captured';
}

export function balancesOf(payment: Payment): Record<string, number> {
  const status = statusOf(payment);
  const captured = sumOf(payment, 'Capture', approved);
  const refunded = sumOf(payment, 'Refund', notRefused);
  const open = status === 'Authorized' ? payment.amount : 0;
  return {
    total_authorized: status === 'Declined' ? 0 : payment.amount,
    total_voided: status === 'Voided' ? payment.amount : 0,
    available_to_void: open,
    total_captured: captured,
    available_to_capture: open,
    total_refunded: refunded,
    available_to_refund: captured - refunded,
  };
}

/** Returns a payment as the API shows it. */
export function shown(payment: Payment): Fields {
  const { actions: _, card: __, account: ___, ...rest } = payment;
  const status = statusOf(payment);
  return { ...rest, status, approved: status !== 'Declined', balances: balancesOf(payment) };
}
